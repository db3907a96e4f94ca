//! Kinds of requests, which determine who handles them and when.

use super::message::Request;

impl Request {
    /// Returns `true` if the request takes so long that only one should run at a time.
    pub(crate) fn is_long(&self) -> bool {
        matches!(self, Request::Review { .. })
    }

    /// Returns the name of the external engine for the request, if any.
    pub(crate) fn engine(&self) -> Option<&str> {
        match self {
            Request::Think { thinker, .. }
            | Request::Play { thinker, .. }
            | Request::Options { thinker }
            | Request::Talk { thinker } => thinker.engine.as_deref(),
            _ => None,
        }
    }

    /// Returns `true` if the request concerns the list of external engines.
    pub(crate) fn is_of_list(&self) -> bool {
        use Request::{AddEngine, Folder, Program, RemoveEngine};
        matches!(self, Folder { .. } | Program { .. } | AddEngine { .. } | RemoveEngine { .. })
    }

    /// Returns `true` if the request concerns a library.
    pub(crate) fn is_of_library(&self) -> bool {
        use Request::{Add, Edit, Explored, Export, Find, Keep, Merge, Names, Played, Remember, Remove, Results, Show};
        matches!(
            self,
            Find { .. } | Show { .. } | Played { .. } | Add { .. } | Keep { .. } | Remove { .. } | Edit { .. }
        ) || matches!(
            self,
            Results { .. } | Names { .. } | Merge { .. } | Export { .. } | Explored { .. } | Remember { .. }
        )
    }

    /// Returns `true` if the request is answered at once, and `false` if it searches.
    pub(crate) fn is_quick(&self) -> bool {
        use Request::{Hint, Mate, Offer, Play, Review, Think, Try};
        !matches!(
            self,
            Think { .. } | Play { .. } | Hint { .. } | Offer { .. } | Try { .. } | Review { .. } | Mate { .. }
        )
    }
}
