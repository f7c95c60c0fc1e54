package main

import (
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"
)

const floorName = "time.Now().UnixMilli()"

type ratioRow struct {
	Kind      string     `json:"kind"`
	Key       *string    `json:"key"`
	Group     string     `json:"group"`
	Library   string     `json:"library"`
	Name      string     `json:"name"`
	Floor     string     `json:"floor"`
	Ns        float64    `json:"ns"`
	FloorNs   float64    `json:"floor_ns"`
	Ratio     float64    `json:"ratio"`
	Quartiles [2]float64 `json:"quartiles"`
	Rounds    int        `json:"rounds"`
	ToolNs    float64    `json:"tool_ns"`
	Price     string     `json:"price"`
}

// pairedRows alternates floor, candidate, floor for each library in turn, round by round; a ratio is the candidate over
// the mean of its two neighbours. A candidate begins at a fresh tick and takes at most half of what a tick holds, so that
// what is measured is work and never waiting.
func pairedRows(all []peer, rounds int, warm time.Duration) []ratioRow {
	floors, costs, ratios := make([][]float64, len(all)), make([][]float64, len(all)), make([][]float64, len(all))
	turn := func(p peer) (before, cost, after float64) {
		before = floorNs()
		freshTick(p)
		cost = nsEach(p.fill, room[:chunk(p)])
		return before, cost, floorNs()
	}
	for i, p := range all {
		for begin := time.Now(); time.Since(begin) < warm; {
			turn(p)
		}
		floors[i], costs[i], ratios[i] = make([]float64, rounds), make([]float64, rounds), make([]float64, rounds)
	}
	for round := range rounds {
		for i, p := range all {
			before, cost, after := turn(p)
			floors[i][round], costs[i][round] = (before+after)/2, cost
			ratios[i][round] = cost / ((before + after) / 2)
		}
	}
	var rows []ratioRow
	for i, p := range all {
		rows = append(rows, ratioRow{Kind: "ratio", Group: "peers", Library: p.library, Name: p.name, Floor: floorName,
			Ns: quantile(costs[i], 0.5), FloorNs: quantile(floors[i], 0.5), Ratio: quantile(ratios[i], 0.5),
			Quartiles: [2]float64{quantile(ratios[i], 0.25), quantile(ratios[i], 0.75)},
			Rounds:    rounds, ToolNs: toolNs(p, rounds), Price: p.price})
	}
	return rows
}

// chunk is 2000 calls, or half of what a tick holds.
func chunk(p peer) int { return min(len(room), p.capacity/2) }

var room [2000]int64 // where all chunks put what they get, the floor's too

func freshTick(p peer) {
	for begin := time.Now().UnixMilli() / p.tickMs; time.Now().UnixMilli()/p.tickMs == begin; {
	}
}

func floorNs() float64 {
	return nsEach(func(ids []int64) {
		for i := range ids {
			ids[i] = time.Now().UnixMilli()
		}
	}, room[:])
}

func nsEach(fill func([]int64), ids []int64) float64 {
	begin := time.Now()
	fill(ids)
	return float64(time.Since(begin).Nanoseconds()) / float64(len(ids))
}

// toolNs is what testing.Benchmark says of the same chunks; its timer stands still until the next tick has come.
func toolNs(p peer, chunks int) float64 {
	ids := room[:chunk(p)]
	must(flag.Set("test.benchtime", fmt.Sprintf("%dx", chunks*len(ids))))
	result := testing.Benchmark(func(b *testing.B) {
		for done := 0; done < b.N; {
			b.StopTimer()
			freshTick(p)
			some := ids[:min(len(ids), b.N-done)]
			b.StartTimer()
			p.fill(some)
			done += len(some)
		}
	})
	return float64(result.T.Nanoseconds()) / float64(result.N)
}

func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}
