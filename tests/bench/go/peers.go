package main

import (
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/bwmarrin/snowflake"
	"github.com/sony/sonyflake/v2"
)

// A peer is one library in one configuration. fill is its loop of single calls, written out for each, so that no row
// pays for an indirect call per id; goroutines share the one generator in it.
type peer struct {
	library, name, price string
	capacity             int   // ids of a tick
	tickMs               int64 // length of a tick
	fill                 func(ids []int64)
	tick                 func(id int64) int64 // of an id, in ticks of Unix time
}

func peers() []peer {
	return []peer{bwmarrin(), sony("NextID(), as it comes", sonyflake.Settings{}),
		sony("NextID(), 4096 a ms",
			sonyflake.Settings{BitsSequence: 12, BitsMachineID: 10, TimeUnit: time.Millisecond})}
}

func bwmarrin() peer {
	node, err := snowflake.NewNode(1)
	must(err)
	return peer{
		library: "bwmarrin/snowflake " + version("github.com/bwmarrin/snowflake"), name: "Node.Generate()",
		price:    "sees that the clock was set only when it restarts; spins under its mutex while it waits",
		capacity: 1 << snowflake.StepBits, tickMs: 1,
		fill: func(ids []int64) {
			for i := range ids {
				ids[i] = int64(node.Generate())
			}
		},
		tick: func(id int64) int64 { return snowflake.ID(id).Time() },
	}
}

func sony(name string, settings sonyflake.Settings) peer {
	const epochMs = 1577836800000 // 2020-01-01: a whole number of ticks, whatever their length
	settings.StartTime = time.UnixMilli(epochMs)
	settings.MachineID = func() (int, error) { return 1, nil }
	generator, err := sonyflake.New(settings)
	must(err)
	price := "after a step back of the clock it sleeps as long, under its mutex"
	tickMs, sequenceBits := settings.TimeUnit.Milliseconds(), settings.BitsSequence
	if settings.TimeUnit == 0 {
		tickMs, sequenceBits, price = 10, 8, "256 ids in 10 ms; "+price
	}
	return peer{
		library: "sony/sonyflake " + version("github.com/sony/sonyflake/v2"), name: name, price: price,
		capacity: 1 << sequenceBits, tickMs: tickMs,
		fill: func(ids []int64) {
			for i := range ids {
				id, err := generator.NextID()
				if err != nil {
					panic(err)
				}
				ids[i] = id
			}
		},
		tick: func(id int64) int64 { return generator.ToTime(id).UnixMilli() / tickMs },
	}
}

// version is what was linked, not what somebody wrote down.
func version(path string) string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == path {
			return strings.TrimPrefix(module.Version, "v")
		}
	}
	panic(fmt.Sprint("not linked: ", path))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
