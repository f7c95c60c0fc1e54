//! As fast as it goes, from one thread and from two, with every id kept and compared.

use std::time::{Duration, Instant};

use serde_json::{json, Value};

use crate::peers::{now_ms, Peer, CAPACITY};

const BLOCK: usize = 64; // ids between two looks at the clock

/// What one thread did: its ids, and how far they were seen ahead of the clock, or stale. For both the library is to
/// blame: an id is ahead of a clock that was read after it, and stale beside one that was read before.
struct Run {
    ids: Vec<u64>,
    ahead: i64,
    stale: i64,
}

pub fn rows(all: &[fn() -> Peer], span: Duration) -> Vec<Value> {
    println!(
        "{:<20} {:<40} {:>7} {:>9} {:>10} {:>8} {:>6} {:>6} {:>9}",
        "saturated", "", "threads", "ids", "duplicates", "share", "ahead", "stale", "CPU s/M"
    );
    let rows = all
        .iter()
        .flat_map(|make| [1, 2].map(|threads| (make(), threads)));
    rows.filter(|(peer, threads)| peer.shared || *threads == 1)
        .map(|(peer, threads)| row(&peer, threads, span))
        .collect()
}

fn row(peer: &Peer, threads: usize, span: Duration) -> Value {
    let ceiling = CAPACITY * span.as_millis() as usize;
    let mut rooms: Vec<Vec<u64>> = (0..threads)
        .map(|_| vec![1; ceiling + ceiling / 4])
        .collect(); // touched
    let (cpu, begin) = (cpu_seconds(), Instant::now());
    let runs: Vec<Run> = std::thread::scope(|scope| {
        let started: Vec<_> = rooms
            .drain(..)
            .map(|room| scope.spawn(|| run(peer, room, begin + span)))
            .collect();
        started
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let (seconds, cpu) = (begin.elapsed().as_secs_f64(), cpu_seconds() - cpu);

    let ahead = runs.iter().map(|run| run.ahead).max();
    let stale = runs.iter().map(|run| run.stale).max();
    let mut ids: Vec<u64> = runs.into_iter().flat_map(|run| run.ids).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    let duplicates = count - ids.len();
    let share = count as f64 / (CAPACITY as f64 * seconds * 1000.0);
    let per_million = cpu / count as f64 * 1e6;
    println!(
        "{:<20} {:<40} {threads:>7} {count:>9} {duplicates:>10} {share:>8.4} {:>6} {:>6} {per_million:>9.3}",
        peer.library, peer.name, ahead.unwrap(), stale.unwrap()
    );
    json!({"kind": "saturated", "key": null, "library": peer.library, "name": peer.name, "threads": threads,
        "seconds": seconds, "ids": count, "duplicates": duplicates, "share": share, "ahead_ms": ahead,
        "stale_ms": stale, "cpu_seconds_per_million": per_million, "price": peer.price})
}

/// Ends with the time or with the room, which no library fills that keeps to the clock.
fn run(peer: &Peer, mut room: Vec<u64>, end: Instant) -> Run {
    let (mut count, mut ahead, mut stale, mut before) = (0, 0, 0, now_ms());
    while Instant::now() < end && count + BLOCK <= room.len() {
        let ids = &mut room[count..count + BLOCK];
        (peer.fill)(ids);
        let after = now_ms();
        stale = stale.max(before - (peer.time_ms)(ids[0]));
        ahead = ahead.max((peer.time_ms)(ids[BLOCK - 1]) - after);
        count += BLOCK;
        before = after;
    }
    room.truncate(count);
    Run {
        ids: room,
        ahead,
        stale,
    }
}

/// Of the whole process.
fn cpu_seconds() -> f64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    let usage = unsafe {
        assert_eq!(libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()), 0);
        usage.assume_init()
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}
