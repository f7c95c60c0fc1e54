package main

import (
	"slices"
	"sync"
	"syscall"
	"time"
)

type saturatedRow struct {
	Kind                 string  `json:"kind"`
	Key                  *string `json:"key"`
	Library              string  `json:"library"`
	Name                 string  `json:"name"`
	Threads              int     `json:"threads"`
	Seconds              float64 `json:"seconds"`
	Ids                  int     `json:"ids"`
	Duplicates           int     `json:"duplicates"`
	Share                float64 `json:"share"`
	AheadMs              int64   `json:"ahead_ms"`
	StaleMs              int64   `json:"stale_ms"`
	CPUSecondsPerMillion float64 `json:"cpu_seconds_per_million"`
	Price                string  `json:"price"`
}

// A run is what one goroutine did: its ids, and by how many ticks they were seen ahead of the clock, or stale. For both
// the library is to blame: an id is ahead of a clock that was read after it, and stale beside one that was read before.
type run struct {
	ids          []int64
	count        int
	ahead, stale int64
}

const block = 64 // ids between two looks at the clock

func (r *run) until(end time.Time, p peer) {
	now := time.Now()
	for now.Before(end) && r.count+block <= len(r.ids) {
		ids := r.ids[r.count : r.count+block]
		p.fill(ids)
		r.stale = max(r.stale, now.UnixMilli()/p.tickMs-p.tick(ids[0]))
		now = time.Now()
		r.ahead = max(r.ahead, p.tick(ids[block-1])-now.UnixMilli()/p.tickMs)
		r.count += block
	}
}

// saturated calls one generator from so many goroutines, as fast as it goes, and compares all ids.
func saturated(p peer, threads int, span time.Duration) saturatedRow {
	ceiling := p.capacity * int(span.Milliseconds()/p.tickMs)
	runs := make([]run, threads)
	for i := range runs {
		runs[i].ids = touched(ceiling + ceiling/4 + 4*p.capacity)
	}
	var group sync.WaitGroup
	cpu, begin := cpuTime(), time.Now()
	for i := range runs {
		group.Add(1)
		go func() { defer group.Done(); runs[i].until(begin.Add(span), p) }()
	}
	group.Wait()
	elapsed, used := time.Since(begin), cpuTime()-cpu

	var all []int64
	var ahead, stale int64
	for _, r := range runs {
		all = append(all, r.ids[:r.count]...)
		ahead, stale = max(ahead, r.ahead), max(stale, r.stale)
	}
	slices.Sort(all)
	elapsedMs := float64(elapsed.Nanoseconds()) / 1e6
	return saturatedRow{Kind: "saturated", Library: p.library, Name: p.name, Threads: threads, Seconds: elapsed.Seconds(),
		Ids: len(all), Duplicates: len(all) - len(slices.Compact(slices.Clone(all))),
		Share:   float64(len(all)) / (float64(p.capacity) * elapsedMs / float64(p.tickMs)),
		AheadMs: ahead * p.tickMs, StaleMs: stale * p.tickMs,
		CPUSecondsPerMillion: used.Seconds() / float64(len(all)) * 1e6, Price: p.price}
}

// touched memory belongs to the process before the clock runs.
func touched(length int) []int64 {
	ids := make([]int64, length)
	for i := range ids {
		ids[i] = 1
	}
	return ids
}

// cpuTime of the whole process.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
