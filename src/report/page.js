"use strict";
(function () {
  var NS = document.querySelector("svg").namespaceURI;
  var root = document.documentElement;
  root.classList.add("js");
  var games = Array.prototype.map.call(document.querySelectorAll(".game"), viewer);
  var current = null;

  function read(fen) {
    var men = {};
    fen.split("/").forEach(function (row, index) {
      var file = 0;
      row.split("").forEach(function (c) {
        if (c >= "1" && c <= "9") { file += +c; } else { men[file + 10 * (9 - index)] = c; file += 1; }
      });
    });
    return men;
  }
  function square(text) { return text.charCodeAt(0) - 97 + 10 * +text[1]; }
  function play(men, move) {
    var from = square(move.slice(0, 2)), to = square(move.slice(2));
    men[to] = men[from];
    delete men[from];
  }
  function node(name, attributes) {
    var made = document.createElementNS(NS, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    return made;
  }
  function element(name, text, className) {
    var made = document.createElement(name);
    if (text) { made.textContent = text; }
    if (className) { made.className = className; }
    return made;
  }

  function viewer(section) {
    var data = JSON.parse(section.querySelector("script.data").textContent);
    var board = section.querySelector(".stage .board");
    var now = section.querySelector("div.now");
    var bar = section.querySelector(".bar i");
    var cursor = section.querySelector(".curve .now");
    var list = section.querySelector(".moves");
    var game = { section: section, id: section.id, ply: data.at, line: null, step: 0 };
    var flipped = false;

    function position() {
      var men = read(data.fen), last = null;
      for (var i = 0; i < game.ply; i += 1) { last = data.plies[i].m; play(men, last); }
      if (game.line) {
        for (var j = 0; j < game.step; j += 1) { last = game.line.m[j]; play(men, last); }
      }
      return { men: men, last: last };
    }
    function place(at) {
      var file = at % 10, rank = Math.floor(at / 10);
      if (flipped) { file = 8 - file; rank = 9 - rank; }
      return { x: 20 + 40 * file, y: 32 + 40 * (9 - rank) };
    }
    function draw() {
      var shown = position();
      var under = board.querySelector(".under"), men = board.querySelector(".men");
      under.textContent = "";
      men.textContent = "";
      board.querySelector(".over").textContent = "";
      if (shown.last) {
        [shown.last.slice(0, 2), shown.last.slice(2)].forEach(function (text) {
          var at = place(square(text));
          under.appendChild(node("circle", { "class": "spot", cx: at.x, cy: at.y, r: 19.5 }));
        });
      }
      Object.keys(shown.men).forEach(function (key) {
        var at = place(+key);
        men.appendChild(node("use", { href: "#m" + shown.men[key], x: at.x, y: at.y }));
      });
      section.classList.toggle("flipped", flipped);
      var title = game.line ? game.line.w[game.step - 1] : game.ply ? data.plies[game.ply - 1].n : "";
      board.setAttribute("aria-label", title || board.getAttribute("data-start") || "");
    }
    function tell() {
      var value = data.values[game.ply], ply = data.plies[game.ply - 1];
      now.textContent = "";
      var what = element("p", ply ? ply.n : "", "what");
      if (value.s) { what.appendChild(element("i", value.s)); }
      now.appendChild(what);
      if (ply && ply.t.length) { now.appendChild(element("p", ply.t.join(" "))); }
      value.l.forEach(function (line) {
        var row = element("span", "", "pv");
        row.appendChild(element("b", line.s));
        line.w.forEach(function (word, index) {
          var button = element("button", word);
          button.type = "button";
          if (game.line === line && game.step === index + 1) { button.className = "on"; }
          button.addEventListener("click", function () { game.line = line; game.step = index + 1; show(); });
          row.appendChild(button);
        });
        now.appendChild(row);
      });
    }
    function mark() {
      Array.prototype.forEach.call(section.querySelectorAll(".mv.on"), function (one) {
        one.classList.remove("on");
        one.removeAttribute("aria-current");
      });
      var one = game.ply ? document.getElementById(game.id + "p" + game.ply) : null;
      if (one) {
        one.classList.add("on");
        one.setAttribute("aria-current", "true");
        // Only the list is scrolled: the page stays where the reader looks.
        var row = one.getBoundingClientRect(), box = list.getBoundingClientRect();
        if (row.top < box.top || row.bottom > box.bottom) {
          list.scrollTop += row.top - box.top - box.height / 2;
        }
      } else { list.scrollTop = 0; }
      var x = data.plies.length ? 640 * game.ply / data.plies.length : 0;
      cursor.setAttribute("d", "M" + x.toFixed(1) + " 0V150");
      bar.style.height = data.values[game.ply].r + "%";
    }
    function show() { draw(); tell(); mark(); }

    game.show = show;
    game.go = function (ply) {
      game.line = null;
      game.ply = Math.max(0, Math.min(data.plies.length, ply));
      show();
    };
    game.walk = function (by) {
      if (!game.line) { game.go(game.ply + by); return; }
      game.step = Math.min(game.line.m.length, game.step + by);
      if (game.step < 1) { game.line = null; }
      show();
    };
    game.ends = function (last) { game.go(last ? data.plies.length : 0); };
    game.leave = function () { game.line = null; show(); };
    game.flip = function () { flipped = !flipped; draw(); };
    board.setAttribute("data-start", board.getAttribute("aria-label"));
    section.addEventListener("click", function (event) {
      var link = event.target.closest("[data-p]"), button = event.target.closest("[data-act]");
      if (link) {
        event.preventDefault();
        current = game;
        game.go(+link.getAttribute("data-p"));
        history.replaceState(null, "", "#" + game.id + "p" + game.ply);
        if (link.classList.contains("go")) { section.scrollIntoView(); }
      } else if (button) {
        current = game;
        act(button.getAttribute("data-act"));
      }
    });
    return game;
  }

  function act(what) {
    if (what === "theme") {
      var dark = root.getAttribute("data-theme") === "dark" ||
        !root.hasAttribute("data-theme") && matchMedia("(prefers-color-scheme: dark)").matches;
      root.setAttribute("data-theme", dark ? "light" : "dark");
    } else if (current) {
      if (what === "first") { current.ends(false); }
      if (what === "back") { current.walk(-1); }
      if (what === "next") { current.walk(1); }
      if (what === "last") { current.ends(true); }
      if (what === "flip") { current.flip(); }
      if (what === "leave") { current.leave(); }
    }
  }
  document.querySelector(".theme").addEventListener("click", function () { act("theme"); });
  document.addEventListener("keydown", function (event) {
    if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) { return; }
    var keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", Escape: "leave", f: "flip", F: "flip" };
    if (current && Object.prototype.hasOwnProperty.call(keys, event.key)) {
      event.preventDefault();
      act(keys[event.key]);
    }
  });

  function follow() {
    var wanted = /^#(g\d+)(?:p(\d+))?$/.exec(location.hash);
    var game = games.filter(function (one) { return wanted && one.id === wanted[1]; })[0] || games[0];
    if (!game) { return; }
    current = game;
    games.forEach(function (one) { one.section.classList.toggle("hidden", one !== game); });
    Array.prototype.forEach.call(document.querySelectorAll(".index tr"), function (row) {
      var link = row.querySelector("a");
      row.classList.toggle("on", !!link && link.getAttribute("href") === "#" + game.id);
    });
    if (wanted && wanted[1] === game.id && wanted[2]) { game.go(+wanted[2]); } else { game.show(); }
  }
  window.addEventListener("hashchange", follow);
  follow();
})();
