//! Embeds an icon and the version in the program for Windows if the feature `windows-resource` is enabled.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src/app/chuhe.ico");
    #[cfg(feature = "windows-resource")]
    if std::env::var("CARGO_CFG_TARGET_OS")? == "windows" {
        let mut resource = winresource::WindowsResource::new();
        resource.set_icon("src/app/chuhe.ico");
        resource.set("FileDescription", "Chuhe 楚河, a Xiangqi engine");
        resource.set("ProductName", "Chuhe 楚河");
        resource.set("LegalCopyright", "The Chuhe authors; MIT or Apache 2.0");
        resource.compile()?;
    }
    Ok(())
}
