//! What changes in the course of training: the learning rate and how much results count. Knows the
//! part of the whole that is done, 0 to 1, and no numbers that are learned.

use std::f32::consts::PI;

use super::recipe::TrainingRecipe;

/// The learning rate: it rises in a line, then falls along a cosine.
pub(super) fn learning_rate(training: &TrainingRecipe, part: f32) -> f32 {
    let &TrainingRecipe { learning_rate, final_learning_rate, warm_up, .. } = training;
    if part < warm_up {
        return learning_rate * part / warm_up;
    }
    let part = (part - warm_up) / (1.0 - warm_up);
    let fall = f32::midpoint(1.0, (PI * part.clamp(0.0, 1.0)).cos());
    final_learning_rate + (learning_rate - final_learning_rate) * fall
}

/// How much the result counts against the score: it stays, then changes in a line.
pub(super) fn wdl(training: &TrainingRecipe, part: f32) -> f32 {
    let begin = 1.0 - training.wdl_ramp;
    if part < begin {
        return training.wdl;
    }
    let share = ((part - begin) / training.wdl_ramp.max(f32::MIN_POSITIVE)).min(1.0);
    training.wdl + (training.final_wdl() - training.wdl) * share
}

/// Whether the weights reached count for the average.
pub(super) fn is_averaged(training: &TrainingRecipe, part: f32) -> bool {
    part >= 1.0 - training.average && training.average > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn training(text: &str) -> TrainingRecipe {
        toml::from_str(&format!("epochs = 1\n{text}")).unwrap()
    }

    #[test]
    fn the_learning_rate_rises_and_falls() {
        let training =
            training("learning_rate = 0.002\nfinal_learning_rate = 0.0001\nwarm_up = 0.2");
        let rates: Vec<_> = (0..=100).map(|i| learning_rate(&training, i as f32 / 100.0)).collect();
        assert!(rates[..=20].is_sorted() && rates[20..].is_sorted_by(|a, b| a >= b));
        for (at, rate) in [(0, 0.0), (10, 0.001), (20, 0.002), (60, 0.00105), (100, 0.0001)] {
            assert!((rates[at] - rate).abs() < 1e-7, "{at}: {}", rates[at]);
        }
    }

    #[test]
    fn results_come_to_count_in_the_last_part() {
        let training = training("wdl = 0.2\nfinal_wdl = 0.6\nwdl_ramp = 0.1");
        for (part, share) in [(0.0, 0.2), (0.89, 0.2), (0.95, 0.4), (1.0, 0.6)] {
            assert!((wdl(&training, part) - share).abs() < 1e-6, "{part}");
        }
        let training = self::training("wdl = 0.3");
        assert!(
            [0.0, 0.5, 1.0].iter().all(|&part| wdl(&training, part).to_bits() == 0.3_f32.to_bits())
        );
    }

    #[test]
    fn the_last_part_is_averaged() {
        let averaged = |text, part| is_averaged(&training(text), part);
        assert!(!averaged("average = 0.25", 0.7) && averaged("average = 0.25", 0.8));
        assert!(!averaged("average = 0", 1.0));
    }
}
