//! The crates, each in one configuration, with what each does not do.

use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ferroid::generator::{
    AtomicSnowflakeGenerator, BasicSnowflakeGenerator, LockSnowflakeGenerator,
};
use ferroid::id::SnowflakeTwitterId;
use ferroid::time::{MonotonicClock, TimeSource, TWITTER_EPOCH};
use snowflake::SnowflakeIdGenerator;

pub const CAPACITY: usize = 4096; // ids of a millisecond, in all of them

pub type Fill = Box<dyn Fn(&mut [u64]) + Sync>;

pub struct Peer {
    pub library: String,
    pub name: &'static str,
    pub price: &'static str,
    /// Whether threads may call the one generator in `fill`.
    pub shared: bool,
    /// The loop of single calls, written out for each, so that no row pays for an indirect call per id.
    pub fill: Fill,
    /// Unix milliseconds of an id.
    pub time_ms: fn(u64) -> i64,
}

/// Those on ferroid's own clock, which is a thread, are the last.
pub const ALL: [fn() -> Peer; 8] = [
    snowflaked,
    rs_real_time,
    rs_generate,
    rs_lazy,
    ferroid_wall,
    ferroid_atomic,
    ferroid_lock,
    ferroid_basic,
];

fn snowflaked() -> Peer {
    let generator = snowflaked::sync::Generator::new(1);
    Peer {
        library: named("snowflaked"),
        name: "sync::Generator",
        price: "panics when the clock steps back; spins while it waits",
        shared: true,
        fill: Box::new(move |ids| ids.iter_mut().for_each(|id| *id = generator.generate())),
        time_ms: unix,
    }
}

/// Its generators are for one thread. The lock is taken once for a whole chunk, so that it costs nothing.
fn rs_snowflake(
    name: &'static str,
    price: &'static str,
    next: impl Fn(&mut SnowflakeIdGenerator) -> i64 + Sync + 'static,
) -> Peer {
    let generator = Mutex::new(SnowflakeIdGenerator::new(1, 1));
    Peer {
        library: named("rs-snowflake"),
        name,
        price,
        shared: false,
        fill: Box::new(move |ids| {
            let mut generator = generator.lock().unwrap();
            ids.iter_mut()
                .for_each(|id| *id = next(&mut generator) as u64)
        }),
        time_ms: unix,
    }
}

fn rs_real_time() -> Peer {
    let price = "repeats ids when the clock steps back; for one thread; spins while it waits";
    rs_snowflake(
        "real_time_generate()",
        price,
        SnowflakeIdGenerator::real_time_generate,
    )
}

fn rs_generate() -> Peer {
    let price = "reads the clock once in 4096 ids; times are old without bound; repeats ids when it steps back; for one thread";
    rs_snowflake("generate()", price, SnowflakeIdGenerator::generate)
}

fn rs_lazy() -> Peer {
    let price = "never reads the clock: counts on from its start, ahead or behind without bound; for one thread";
    rs_snowflake(
        "lazy_generate()",
        price,
        SnowflakeIdGenerator::lazy_generate,
    )
}

/// The wall clock, for ferroid, whose own clock reads it once per process.
struct WallClock;

impl TimeSource<u64> for WallClock {
    fn current_millis(&self) -> u64 {
        (SystemTime::now().duration_since(UNIX_EPOCH).unwrap() - TWITTER_EPOCH).as_millis() as u64
    }
}

fn ferroid(
    name: &'static str,
    price: &'static str,
    shared: bool,
    fill: impl Fn(&mut [u64]) + Sync + 'static,
) -> Peer {
    Peer {
        library: named("ferroid"),
        name,
        price,
        shared,
        fill: Box::new(fill),
        time_ms: since_twitter,
    }
}

fn ferroid_wall() -> Peer {
    let generator = AtomicSnowflakeGenerator::<SnowflakeTwitterId, _>::new(1, WallClock);
    ferroid(
        "Atomic, SystemTime as TimeSource",
        "waits without bound when the clock steps back",
        true,
        move |ids| {
            ids.iter_mut()
                .for_each(|id| *id = generator.next_id(|_| std::thread::yield_now()).to_raw())
        },
    )
}

const OWN_CLOCK: &str =
    "a thread caches the time every ms; sees that the clock was set only when it restarts";

fn own_clock() -> MonotonicClock<1> {
    MonotonicClock::with_epoch(TWITTER_EPOCH)
}

fn ferroid_atomic() -> Peer {
    let generator = AtomicSnowflakeGenerator::<SnowflakeTwitterId, _>::new(1, own_clock());
    ferroid("Atomic, MonotonicClock", OWN_CLOCK, true, move |ids| {
        ids.iter_mut()
            .for_each(|id| *id = generator.next_id(|_| std::thread::yield_now()).to_raw())
    })
}

fn ferroid_lock() -> Peer {
    let generator = LockSnowflakeGenerator::<SnowflakeTwitterId, _>::new(1, own_clock());
    ferroid("Lock, MonotonicClock", OWN_CLOCK, true, move |ids| {
        ids.iter_mut().for_each(|id| {
            *id = generator
                .try_next_id(|_| std::thread::yield_now())
                .unwrap()
                .to_raw()
        })
    })
}

fn ferroid_basic() -> Peer {
    let generator = Mutex::new(BasicSnowflakeGenerator::<SnowflakeTwitterId, _>::new(
        1,
        own_clock(),
    ));
    ferroid(
        "Basic, for one thread, MonotonicClock",
        OWN_CLOCK,
        false,
        move |ids| {
            let generator = generator.lock().unwrap(); // once for a whole chunk
            ids.iter_mut()
                .for_each(|id| *id = generator.next_id(|_| std::thread::yield_now()).to_raw())
        },
    )
}

fn since_twitter(id: u64) -> i64 {
    SnowflakeTwitterId::from_raw(id).timestamp() as i64 + TWITTER_EPOCH.as_millis() as i64
}

fn unix(id: u64) -> i64 {
    (id >> 22) as i64
}

/// The version is what was linked, not what somebody wrote down.
fn named(package: &str) -> String {
    let lock = include_str!("../Cargo.lock");
    let (_, rest) = lock
        .split_once(&format!("name = \"{package}\"\nversion = \""))
        .expect(package);
    format!("{package} {}", rest.split('"').next().unwrap())
}

pub fn now_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or(Duration::ZERO)
        .as_millis() as i64
}
