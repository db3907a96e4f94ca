//! A folder of tables: `RP-AAEE.wins`, `RP-AAEE.capture`, `RP-AAEE.mate`.

use super::file::{Table, TableFault};
use super::{Content, Material};
use std::path::{Path, PathBuf};

/// Folder of tables.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Creates a `Folder` for a path. The folder need not exist on disk.
    pub fn new(path: impl Into<PathBuf>) -> Folder {
        Folder(path.into())
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the path of a table file.
    pub fn file(&self, material: Material, content: Content) -> PathBuf {
        self.0.join(format!("{material}.{}", content.suffix()))
    }

    /// Returns `true` if all files of an ending exist.
    pub fn has(&self, material: Material) -> bool {
        Content::ALL.into_iter().all(|content| self.file(material, content).is_file())
    }

    /// Opens a table.
    ///
    /// # Errors
    /// Returns an error if the table is missing, is damaged or belongs to a different ending.
    pub fn open(&self, material: Material, content: Content) -> Result<Table, TableFault> {
        let path = self.file(material, content);
        if !path.exists() {
            return Err(TableFault::Missing(material, self.0.clone()));
        }
        let table = Table::open(&path)?;
        if (table.header().material, table.header().content) != (material, content) {
            return Err(TableFault::Damaged(path, "the file contains a different ending"));
        }
        Ok(table)
    }

    /// Returns the endings that have a table in the folder, according to the file names, in sorted order.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read.
    pub fn list(&self) -> Result<Vec<Material>, TableFault> {
        let fault = |error| TableFault::File(self.0.clone(), error);
        let mut found = Vec::new();
        for entry in std::fs::read_dir(&self.0).map_err(fault)? {
            let name = entry.map_err(fault)?.file_name();
            let ending = name.to_str().and_then(|name| name.strip_suffix(".wins"));
            found.extend(ending.and_then(|ending| ending.parse::<Material>().ok()));
        }
        found.sort_unstable();
        Ok(found)
    }
}
