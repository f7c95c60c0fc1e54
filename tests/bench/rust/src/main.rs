//! The Rust benchmarks: polyflake-bench-rust --json FILE [--quick]
//!
//! There is no Polyflake for Rust: ferroid, the crate that comes nearest to what ours does, stands over the bare work as
//! the libraries of the other languages do. What the rows mean: tests/bench/report/rows.py.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ferroid::generator::AtomicSnowflakeGenerator;
use ferroid::id::SnowflakeTwitterId;
use ferroid::time::{MonotonicClock, TimeSource, TWITTER_EPOCH};

const CAPACITY: usize = 4096; // ids of a millisecond
const FRESH: usize = 2000; // calls of a chunk that begins with a millisecond
const BLOCK: usize = 64; // ids between two looks at the clock

type Fill = Box<dyn Fn(&mut [u64]) + Sync>;

/// The wall clock, for ferroid, whose own clock reads it once per process.
struct WallClock;

impl TimeSource<u64> for WallClock {
    fn current_millis(&self) -> u64 {
        (SystemTime::now().duration_since(UNIX_EPOCH).unwrap() - TWITTER_EPOCH).as_millis() as u64
    }
}

/// A loop of single calls, written into the slice that it is given.
fn ferroid<T: TimeSource<u64> + Sync + 'static>(time: T) -> Fill {
    let generator = AtomicSnowflakeGenerator::<SnowflakeTwitterId, T>::new(1, time);
    Box::new(move |ids| {
        ids.iter_mut()
            .for_each(|id| *id = generator.next_id(|_| std::thread::yield_now()).to_raw())
    })
}

/// What is measured, and what it does not do. The own clock is a thread that never ends: it comes last.
fn subjects() -> [(&'static str, &'static str, fn() -> Fill); 2] {
    [
        (
            "Atomic, SystemTime as TimeSource",
            "waits without bound when the clock steps back",
            || ferroid(WallClock),
        ),
        (
            "Atomic, MonotonicClock",
            "a thread caches the time every ms; sees that the clock was set only when it restarts",
            || ferroid(MonotonicClock::<1>::with_epoch(TWITTER_EPOCH)),
        ),
    ]
}

fn clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    since.as_secs() * 1_000_000_000 + u64::from(since.subsec_nanos())
}

#[cfg(target_arch = "x86_64")]
fn counter() -> u64 {
    unsafe { core::arch::x86_64::_rdtsc() }
}
#[cfg(not(target_arch = "x86_64"))]
use clock as counter;

/// The bare work, as in tests/bench/cpp/bare.hpp: one reading of the time, one compare-and-swap.
fn bare(time: impl Fn() -> u64 + Sync + 'static) -> Fill {
    let word = AtomicU64::new(0);
    Box::new(move |out| {
        for number in out {
            let now = time();
            let mut last = word.load(Ordering::Relaxed);
            *number = loop {
                let next = if last < now { now } else { last + 1 };
                match word.compare_exchange_weak(last, next, Ordering::AcqRel, Ordering::Relaxed) {
                    Ok(_) => break next,
                    Err(present) => last = present,
                }
            };
        }
    })
}

/// Nanoseconds of one call in a chunk; what it gave stays in `out`.
fn chunk_ns(fill: &Fill, out: &mut [u64]) -> f64 {
    let begin = Instant::now();
    fill(black_box(&mut *out));
    begin.elapsed().as_nanos() as f64 / out.len() as f64
}

fn least_ns(fill: &Fill) -> f64 {
    let mut out = [0; FRESH];
    (0..50)
        .map(|_| chunk_ns(fill, &mut out))
        .fold(f64::MAX, f64::min)
}

fn await_fresh_ms() {
    let now = clock() / 1_000_000;
    while clock() / 1_000_000 == now {}
}

fn duplicates(ids: &mut Vec<u64>) -> usize {
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    count - ids.len()
}

/// Floor, call, floor, again and again.
fn rounds(floor: &Fill, call: &Fill, count: usize) -> String {
    let (mut none, mut out, mut ids) = ([0; FRESH], [0; FRESH], Vec::new());
    let warm = Instant::now();
    while warm.elapsed() < Duration::from_millis(20) {
        await_fresh_ms();
        chunk_ns(call, &mut out);
    }
    let times: Vec<String> = (0..count)
        .map(|_| {
            let before = chunk_ns(floor, &mut none);
            await_fresh_ms();
            let ns = chunk_ns(call, &mut out);
            ids.extend_from_slice(&out);
            format!("[{before}, {ns}, {}]", chunk_ns(floor, &mut none))
        })
        .collect();
    let (count, times) = (ids.len(), times.join(", "));
    format!(
        r#""rounds": [{times}], "ids": {count}, "duplicates": {}"#,
        duplicates(&mut ids)
    )
}

/// One thread's ids until the time or the room ends, which no library fills that keeps to the clock.
fn take(call: &Fill, end: Instant, mut room: Vec<u64>) -> Vec<u64> {
    let mut count = 0;
    while Instant::now() < end && count + BLOCK <= room.len() {
        call(&mut room[count..count + BLOCK]);
        count += BLOCK;
    }
    room.truncate(count);
    room
}

/// Of the whole process, to 10 ms.
fn cpu_seconds() -> f64 {
    let line = std::fs::read_to_string("/proc/self/stat").unwrap();
    let (_, after_the_name) = line.rsplit_once(") ").unwrap();
    let ticks = after_the_name.split(' ').skip(11).take(2);
    ticks
        .map(|ticks| ticks.parse::<f64>().unwrap() / 100.0)
        .sum()
}

/// As fast as it goes, every id kept and compared.
fn saturated(call: &Fill, threads: usize, span: Duration) -> String {
    let room = CAPACITY * span.as_millis() as usize * 5 / 4;
    let mut rooms: Vec<_> = (0..threads).map(|_| vec![1; room]).collect(); // touched
    let (cpu, begin) = (cpu_seconds(), Instant::now());
    let ids: Vec<Vec<u64>> = std::thread::scope(|scope| {
        let started: Vec<_> = rooms
            .drain(..)
            .map(|room| scope.spawn(move || take(call, begin + span, room)))
            .collect();
        started
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let end_ms = (clock() / 1_000_000) as i64;
    let (seconds, cpu) = (begin.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    let mut ids = ids.concat();
    let last = SnowflakeTwitterId::from_raw(*ids.iter().max().unwrap());
    let ahead_ms = last.timestamp() as i64 + TWITTER_EPOCH.as_millis() as i64 - end_ms;
    let (count, possible) = (ids.len(), (CAPACITY as f64 * seconds * 1000.0) as usize);
    format!(
        r#""threads": {threads}, "seconds": {seconds}, "cpu_seconds": {cpu}, "ids": {count}, "duplicates": {},
            "taken": {count}, "possible": {possible}, "ahead_ms": {ahead_ms}"#,
        duplicates(&mut ids)
    )
}

fn main() {
    let (mut path, mut quick) = (None, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" => path = arguments.next(),
            "--quick" => quick = true,
            _ => panic!("usage: polyflake-bench-rust --json FILE [--quick]"),
        }
    }
    let (by_clock, by_counter) = (bare(clock), bare(counter));
    let (floor, time) = if least_ns(&by_clock) <= least_ns(&by_counter) {
        (by_clock, "clock_gettime")
    } else {
        (by_counter, "rdtsc")
    };
    let span = Duration::from_millis(if quick { 100 } else { 1000 });
    // The version is what was linked, not what somebody wrote down.
    let (_, rest) = include_str!("../Cargo.lock")
        .split_once("name = \"ferroid\"\nversion = \"")
        .unwrap();
    let version = rest.split('"').next().unwrap();
    let mut rows = Vec::new();
    for (call, price, open) in subjects() {
        let generator = open();
        let mut add = |row: &str, figures: String| {
            eprintln!("{row} {call}");
            rows.push(format!(
                r#"{{"row": "{row}", "library": "ferroid {version}", "call": "{call}", "price": "{price}", {figures}}}"#
            ));
        };
        add(
            "call",
            rounds(&floor, &generator, if quick { 11 } else { 121 }),
        );
        for threads in [1, 2] {
            add("saturated", saturated(&generator, threads, span));
        }
    }
    let report = format!(
        r#"{{"language": "rust", "runtime": "{}", "time": "{time}", "rows": [{}]}}"#,
        option_env!("POLYFLAKE_BENCH_RUSTC").unwrap_or("rustc"),
        rows.join(",\n")
    );
    std::fs::write(path.expect("--json FILE"), report + "\n").unwrap();
}
