//! Accuracy of a side as one number, 0 to 100, computed with lichess's published formulas from expected
//! points.
//!
//! Source: lichess.org/page/accuracy and lila's `AccuracyPercent`, with the curve of
//! [`super::expected_points`] instead of lichess's.

/// Returns the accuracy of a move that lost `loss` expected points (0 to 1).
pub(crate) fn of_move(loss: f64) -> f64 {
    // lichess adds one point for the uncertainty of analysis.
    (103.1668 * (-0.04354 * 100.0 * loss).exp() - 3.1669 + 1.0).clamp(0.0, 100.0)
}

/// Returns the accuracy of each side over a game; the first value is that of the side that moves first.
///
/// `points` contains Red's expected points before the first move and after each, one more than `losses`. The
/// value of a side without moves is `None`. Moves in volatile phases of the game count more; because of the
/// harmonic mean, a single blunder remains significant among good moves.
pub(crate) fn of_game(points: &[f64], losses: &[f64]) -> [Option<f64>; 2] {
    assert_eq!(points.len(), losses.len() + 1, "points are known before and after every move");
    let width = (losses.len() / 10).clamp(2, 8).min(points.len());
    // There are as many windows as moves: the first moves share the first window.
    let weight = |ply: usize| {
        let first = (ply + 2).saturating_sub(width).min(points.len() - width);
        (100.0 * deviation(&points[first..first + width])).clamp(0.5, 12.0)
    };
    let side = |parity: usize| {
        let moves: Vec<(f64, f64)> = losses
            .iter()
            .enumerate()
            .skip(parity)
            .step_by(2)
            .map(|(ply, &loss)| (of_move(loss), weight(ply)))
            .collect();
        let weights: f64 = moves.iter().map(|(_, weight)| weight).sum();
        let weighted = moves.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / weights;
        // An accuracy of zero would make the harmonic mean zero.
        let harmonic = moves.len() as f64 / moves.iter().map(|(accuracy, _)| 1.0 / accuracy.max(1.0)).sum::<f64>();
        (!moves.is_empty()).then_some((weighted + harmonic) / 2.0)
    };
    [side(0), side(1)]
}

/// Returns the standard deviation of at least one number.
fn deviation(numbers: &[f64]) -> f64 {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_of_a_move_falls_with_what_it_lost() {
        assert_eq!(of_move(0.0), 100.0);
        // Calculated by hand: 103.1668 e^(-0.4354) - 2.1669 and 103.1668 e^(-2.177) - 2.1669.
        assert!((of_move(0.1) - 64.58).abs() < 0.01, "{}", of_move(0.1));
        assert!((of_move(0.5) - 9.53).abs() < 0.01, "{}", of_move(0.5));
        assert_eq!(of_move(1.0), 0.0);
    }

    #[test]
    fn a_faultless_game_is_fully_accurate_and_a_blunder_costs_its_side_alone() {
        let level = [0.5; 41];
        assert_eq!(of_game(&level, &[0.0; 40]), [Some(100.0); 2]);
        let mut losses = [0.0; 40];
        losses[20] = 0.4;
        let points: Vec<f64> = (0..41).map(|ply| if ply > 20 { 0.1 } else { 0.5 }).collect();
        let [first, second] = of_game(&points, &losses).map(|accuracy| accuracy.expect("moves"));
        assert!(first < 85.0 && second == 100.0, "{first} {second}");
    }

    #[test]
    fn short_games_have_an_accuracy_too() {
        assert_eq!(of_game(&[0.5], &[]), [None, None]);
        assert_eq!(of_game(&[0.5, 0.5], &[0.0]), [Some(100.0), None]);
    }
}
