//! Hands the name of the compiler to the program, which writes it into its report.

use std::process::Command;

fn main() {
    let output = Command::new(std::env::var("RUSTC").unwrap())
        .arg("--version")
        .output()
        .unwrap();
    let line = String::from_utf8(output.stdout).unwrap();
    let name = line.split(" (").next().unwrap().trim();
    println!("cargo:rustc-env=RUSTC_VERSION={name}");
}
