//! Runs the fuzz target named by the environment variable `CHUHE_FUZZ` in libFuzzer.
#![no_main]

use chuhe_fuzz::Target;
use libfuzzer_sys::fuzz_target;
use std::env;
use std::sync::LazyLock;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = env::var("CHUHE_FUZZ").unwrap_or_default();
    chuhe_fuzz::target(&name).unwrap_or_else(|| panic!("CHUHE_FUZZ names no target: {name:?}"))
});

fuzz_target!(|data: &[u8]| TARGET(data));
