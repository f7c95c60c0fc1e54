//! What an id costs in the Rust crates that people use, beside `SystemTime::now()` in the same run. There is no
//! Polyflake for Rust: all rows are peers, to be read beside ours in the other languages.
//!
//! Two groups. "saturated": as fast as it goes, every id kept and compared (saturate.rs). "peers": one call, paired
//! with the floor (measure.rs). No second tool measures the same here.

mod measure;
mod peers;
mod saturate;

use std::process::exit;
use std::time::Duration;

const USAGE: &str = "usage: bench [--json FILE] [--quick]";

fn main() {
    let (mut path, mut quick) = (None, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" => path = Some(arguments.next().unwrap_or_else(|| refuse())),
            "--quick" => quick = true,
            "--help" => return println!("{USAGE}"),
            _ => refuse(),
        }
    }
    let (rounds, warm, span) = if quick {
        (7, Duration::from_millis(20), Duration::from_millis(100))
    } else {
        (121, Duration::from_millis(300), Duration::from_secs(1))
    };
    // The peers with a thread of their own, which never ends, come last: it disturbs no other saturation.
    let mut rows = saturate::rows(&peers::ALL, span);
    rows.extend(measure::rows(&peers::ALL, rounds, warm));
    if let Some(path) = path {
        let report =
            serde_json::json!({"language": "rust", "runtime": env!("RUSTC_VERSION"), "rows": rows});
        std::fs::write(&path, format!("{report:#}\n")).expect(&path);
    }
}

fn refuse() -> ! {
    eprintln!("{USAGE}");
    exit(2)
}
