//! The gallery: every algorithm by name, and the driver that runs it with or without iterative deepening.

use super::alpha_beta::{fail_hard, fail_soft, two_maxima};
use super::aspiration::{Widening, aspiration};
use super::mtd::{bisection, mtd_plaat, mtd_plain, mtd_printed};
use super::negamax::negamax;
use super::pvs::{PvsVariant, pvs};
use super::study::{Answer, Counts, INFINITY, Limits};
use super::widening::widening;
use super::{Study, Techniques, Tree};
use chuhe_board::named;

/// Default initial width of iterative widening, in moves.
pub(crate) const STARTING_WIDTH: usize = 8;

named! {
    /// An algorithm from the literature.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[allow(missing_docs)] // described by `about`
    pub enum Algorithm {
        Minimax = ("minimax", "negamax, the full tree"),
        TwoMaxima = ("two-maxima", "alpha-beta as Kornilov first writes it"),
        FailHard = ("fail-hard", "alpha-beta, never outside its window"),
        FailSoft = ("fail-soft", "alpha-beta, bounds outside its window"),
        Aspiration = ("aspiration", "fail-soft in a window, opened to infinity on a failure"),
        AspirationSteps = ("aspiration-steps", "the same, widened step by step"),
        AspirationOffCentre = ("aspiration-off-centre", "the same, one part below the guess, three above"),
        AspirationPvs = ("aspiration-pvs", "aspiration at the root, PVS below: Eppstein's choice"),
        Pvs = ("pvs", "principal variation search, re-search with (alpha, beta)"),
        NegaScout = ("negascout", "the same, re-search with (v, beta)"),
        PvsPrinted = ("pvs-printed", "Eppstein's PVS as printed"),
        Mtd = ("mtd", "MTD(f), the plain loop with confirmation"),
        MtdPlaat = ("mtd-plaat", "MTD(f), Plaat's two bounds"),
        MtdPrinted = ("mtd-printed", "MTD(f), the plain loop as printed: inexact"),
        Bisection = ("bisection", "binary search by zero-width calls"),
        Widening = ("widening", "iterative widening: inexact"),
    }

    /// Returns the name on the command line and a description.
    fn labels -> (&'static str, &'static str)
}

impl Algorithm {
    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        self.labels().0
    }

    /// Returns a one-line description.
    pub const fn about(self) -> &'static str {
        self.labels().1
    }

    /// Returns the algorithm with this name.
    pub fn from_name(name: &str) -> Option<Algorithm> {
        Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// Returns `true` if the algorithm returns the minimax value, unless a technique prevents it.
    pub const fn is_exact(self) -> bool {
        !matches!(self, Algorithm::MtdPrinted | Algorithm::Widening)
    }

    /// Searches the root at one depth, starting from a guess at its value.
    pub fn search<T: Tree>(self, study: &mut Study<T>, depth: i32, guess: i32) -> Answer {
        const PVS: u8 = PvsVariant::Pvs as u8;
        let half = match study.techniques.window {
            0 => (study.tree.pawn() / 2).max(1),
            window => window,
        };
        match self {
            Algorithm::Minimax => negamax(study, depth),
            Algorithm::TwoMaxima => two_maxima(study, depth, [-INFINITY; 2]),
            Algorithm::FailHard => fail_hard(study, depth, -INFINITY, INFINITY),
            Algorithm::FailSoft => fail_soft(study, depth, -INFINITY, INFINITY),
            Algorithm::Aspiration => aspiration(study, fail_soft, depth, guess, (half, half), Widening::ToInfinity),
            Algorithm::AspirationSteps => aspiration(study, fail_soft, depth, guess, (half, half), Widening::Stepwise),
            // The window is as wide as the centred one, but three quarters of it lie above the guess.
            Algorithm::AspirationOffCentre => {
                let (below, above) = ((half / 2).max(1), half + half / 2);
                aspiration(study, fail_soft, depth, guess, (below, above), Widening::ToInfinity)
            }
            Algorithm::AspirationPvs => {
                aspiration(study, pvs::<T, PVS>, depth, guess, (half, half), Widening::ToInfinity)
            }
            Algorithm::Pvs => pvs::<T, PVS>(study, depth, -INFINITY, INFINITY),
            Algorithm::NegaScout => pvs::<T, { PvsVariant::NegaScout as u8 }>(study, depth, -INFINITY, INFINITY),
            Algorithm::PvsPrinted => pvs::<T, { PvsVariant::Printed as u8 }>(study, depth, -INFINITY, INFINITY),
            Algorithm::Mtd => mtd_plain(study, depth, guess),
            Algorithm::MtdPlaat => mtd_plaat(study, depth, guess),
            Algorithm::MtdPrinted => mtd_printed(study, depth, guess),
            Algorithm::Bisection => bisection(study, depth),
            Algorithm::Widening => {
                let width = if study.techniques.width == 0 { STARTING_WIDTH } else { study.techniques.width };
                widening(study, depth, width)
            }
        }
    }
}

/// Result of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome<M> {
    /// Last completed depth, 0 if none.
    pub depth: i32,
    /// Value at that depth for the side to move at the root.
    pub value: i32,
    /// Principal variation, as far as the algorithm provides one.
    pub line: Vec<M>,
    /// Statistics, including the incomplete depth.
    pub counts: Counts,
}

/// Runs an algorithm up to the limits: at the last depth only, or at depths 1, 2, 3 … (iterative deepening).
/// In the latter case, each depth passes on its value as the first guess, its principal variation as the
/// moves to try first, and the content of the tables.
pub fn run<T: Tree>(algorithm: Algorithm, mut tree: T, techniques: Techniques, limits: Limits) -> Outcome<T::Move> {
    let mut value = tree.value();
    let mut study = Study::new(tree, techniques, limits);
    let first = if techniques.deepening { 1 } else { limits.depth };
    let mut done = Outcome { depth: 0, value, line: Vec::new(), counts: study.counts() };
    for depth in first..=limits.depth {
        study.begin(depth);
        let Some(answer) = algorithm.search(&mut study, depth, value) else { break };
        value = answer;
        done = Outcome { depth, value, line: study.principal().to_vec(), counts: study.counts() };
    }
    Outcome { counts: study.counts(), ..done }
}
