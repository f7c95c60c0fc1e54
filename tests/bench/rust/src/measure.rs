//! One call, paired with the floor.

use std::hint::black_box;
use std::time::{Duration, Instant, SystemTime};

use serde_json::{json, Value};

use crate::peers::{now_ms, Peer, CAPACITY};

const CHUNK: usize = 2000; // calls, in a millisecond that has room for more than twice as many

#[derive(Default)]
struct Rounds {
    floors: Vec<f64>,
    costs: Vec<f64>,
    ratios: Vec<f64>,
}

/// Alternates floor, candidate, floor for each library in turn, round by round; a ratio is the candidate over the mean
/// of its two neighbours. A candidate begins at a fresh millisecond, so that what is measured is work and never waiting.
pub fn rows(all: &[fn() -> Peer], rounds: usize, warm: Duration) -> Vec<Value> {
    const { assert!(2 * CHUNK < CAPACITY) };
    let mut peers: Vec<(Peer, Rounds)> =
        all.iter().map(|make| (make(), Rounds::default())).collect();
    for (peer, _) in &peers {
        let begin = Instant::now();
        while begin.elapsed() < warm {
            turn(peer);
        }
    }
    for _ in 0..rounds {
        for (peer, seen) in &mut peers {
            let (floor, cost) = turn(peer);
            seen.floors.push(floor);
            seen.costs.push(cost);
            seen.ratios.push(cost / floor);
        }
    }
    println!(
        "\n{:<20} {:<40} {:>8} {:>8} {:>6}  quartiles",
        "one call", "", "ns", "floor", "x"
    );
    peers
        .iter_mut()
        .map(|(peer, seen)| row(peer, seen))
        .collect()
}

fn row(peer: &Peer, seen: &mut Rounds) -> Value {
    let rounds = seen.ratios.len();
    let (ns, floor_ns) = (
        quantile(&mut seen.costs, 0.5),
        quantile(&mut seen.floors, 0.5),
    );
    let [low, ratio, high] = [0.25, 0.5, 0.75].map(|q| quantile(&mut seen.ratios, q));
    println!(
        "{:<20} {:<40} {ns:>8.1} {floor_ns:>8.1} {ratio:>6.2}  {low:.2} to {high:.2}",
        peer.library, peer.name
    );
    json!({"kind": "ratio", "key": null, "group": "peers", "library": peer.library, "name": peer.name,
        "floor": "SystemTime::now()", "ns": ns, "floor_ns": floor_ns, "ratio": ratio, "quartiles": [low, high],
        "rounds": rounds, "tool_ns": null, "price": peer.price})
}

/// The mean of two floors, and the candidate between them, in ns of one call.
fn turn(peer: &Peer) -> (f64, f64) {
    let first = floor_ns();
    let now = now_ms();
    while now_ms() == now {}
    let cost = ns_each(|ids| (peer.fill)(ids));
    ((first + floor_ns()) / 2.0, cost)
}

fn floor_ns() -> f64 {
    let mut times = [SystemTime::UNIX_EPOCH; CHUNK];
    ns_of(|| {
        times.iter_mut().for_each(|time| *time = SystemTime::now());
        black_box(&times);
    })
}

fn ns_each(fill: impl FnOnce(&mut [u64])) -> f64 {
    let mut ids = [0; CHUNK];
    ns_of(|| {
        fill(&mut ids);
        black_box(&ids);
    })
}

fn ns_of(chunk: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    chunk();
    begin.elapsed().as_nanos() as f64 / CHUNK as f64
}

fn quantile(values: &mut [f64], q: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(q * (values.len() - 1) as f64 + 0.5) as usize]
}
