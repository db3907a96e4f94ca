//! Kinds of requests, which determine their handlers and their scheduling.

use super::request::{Request, RequestName};

/// Kind of request. Requests of different kinds do not wait for each other.
#[cfg(feature = "serve")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum RequestKind {
    /// Answered at once.
    Quick,
    /// Searches; a new search stops the previous one.
    Search,
    /// Opens a file, which may take some time; a new one stops the previous one.
    File,
    /// [`LibraryRequest`](super::request::LibraryRequest), which may take some time.
    Library,
    /// [`EngineListRequest`](super::request::EngineListRequest).
    EngineList,
}

impl RequestName {
    /// Returns the kind.
    #[cfg(feature = "serve")]
    pub(crate) const fn kind(self) -> RequestKind {
        use RequestName::*;
        match self {
            Hello | Look | Line | Stop | Book | Endings | Judge | Read | Save | Options | Talk | Puzzles | Setup => {
                RequestKind::Quick
            }
            Think | Play | Offer | Hint | Mate | Review | Try => RequestKind::Search,
            Open => RequestKind::File,
            Find | Show | Played | Explored | Remember | Add | Keep | Remove | Edit | Results | Names | Merge
            | Export => RequestKind::Library,
            Folder | Program | AddEngine | RemoveEngine => RequestKind::EngineList,
        }
    }

    /// Returns `true` if the request contains a file or a tree of moves, so that it may be long.
    pub(super) const fn may_be_long(self) -> bool {
        use RequestName::*;
        match self {
            Open | Save | Add | Keep | Edit => true,
            Hello | Look | Line | Think | Stop | Play | Offer | Hint | Book | Endings | Mate | Judge | Read
            | Review | Try | Find | Show | Played | Explored | Remember | Remove | Results | Names | Merge | Export
            | Options | Talk | Folder | Program | AddEngine | RemoveEngine | Puzzles | Setup => false,
        }
    }
}

impl Request {
    /// Returns the kind.
    #[cfg(feature = "serve")]
    pub(crate) fn kind(&self) -> RequestKind {
        self.name().kind()
    }

    /// Returns `true` if the request takes so long that only one such request should run at a time.
    #[cfg(feature = "serve")]
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_a_request_agrees_with_its_enum() {
        for name in RequestName::ALL {
            let group = match name.kind() {
                RequestKind::Library => Some("Library"),
                RequestKind::EngineList => Some("EngineList"),
                RequestKind::Quick | RequestKind::Search | RequestKind::File => None,
            };
            assert_eq!(name.group(), group, "{name:?}");
        }
    }

    #[test]
    fn the_page_without_a_server_has_the_same_searches() {
        let script = include_str!("../../wasm/site/desk-worker.js");
        let list = script.split_once("const SEARCHES = new Set(").expect("the list").1;
        let list: Vec<RequestName> =
            serde_json::from_str(list.split_once(");").expect("its end").0).expect("names of requests");
        let searches = RequestName::ALL.iter().filter(|name| name.kind() == RequestKind::Search);
        for name in searches.clone() {
            assert!(list.contains(name), "{name:?} is missing");
        }
        assert_eq!(list.len(), searches.count());
    }
}
