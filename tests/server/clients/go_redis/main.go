// go-redis, driven by lines as client_programs.py says.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

var ctx = context.Background()

// open connects: port, version of RESP, and perhaps the name and the secret of a token.
func open(words []string) (*redis.Client, error) {
	protocol, err := strconv.Atoi(words[1])
	if err != nil {
		return nil, err
	}
	options := &redis.Options{Addr: "127.0.0.1:" + words[0], Protocol: protocol, MaxRetries: -1, PoolSize: 1}
	if len(words) == 4 {
		options.Username, options.Password = words[2], words[3]
	}
	return redis.NewClient(options), nil
}

// flat returns the words of a reply: a map comes as one over RESP 3, as a list over RESP 2.
func flat(reply interface{}) []string {
	switch reply := reply.(type) {
	case map[interface{}]interface{}:
		var words []string
		for name, value := range reply {
			words = append(words, fmt.Sprint(name), fmt.Sprint(value))
		}
		return words
	case []interface{}:
		var words []string
		for _, word := range reply {
			words = append(words, fmt.Sprint(word))
		}
		return words
	}
	return []string{fmt.Sprint(reply)}
}

func answer(client *redis.Client, verb, key, count string) ([]string, error) {
	switch verb {
	case "incr":
		id, err := client.Incr(ctx, key).Result()
		return flat(id), err
	case "next":
		id, err := client.Do(ctx, "POLYFLAKE.NEXT", key).Result()
		return flat(id), err
	case "batch":
		return client.Do(ctx, "POLYFLAKE.NEXT", key, count).StringSlice()
	case "decode":
		parts, err := client.Do(ctx, "POLYFLAKE.DECODE", key).Result()
		return flat(parts), err
	}
	requests, err := strconv.Atoi(count)
	if err != nil {
		return nil, err
	}
	replies, err := client.Pipelined(ctx, func(pipeline redis.Pipeliner) error {
		for i := 0; i < requests; i++ {
			if verb == "incrs" {
				pipeline.Incr(ctx, key)
			} else {
				pipeline.Do(ctx, "POLYFLAKE.NEXT", key)
			}
		}
		return nil
	})
	var words []string
	for _, reply := range replies {
		switch reply := reply.(type) {
		case *redis.IntCmd:
			words = append(words, fmt.Sprint(reply.Val()))
		case *redis.Cmd:
			words = append(words, fmt.Sprint(reply.Val()))
		}
	}
	return words, err
}

func said(client **redis.Client, verb string, words []string) ([]string, error) {
	if verb != "open" {
		return answer(*client, verb, words[0], words[len(words)-1])
	}
	if *client != nil {
		(*client).Close()
	}
	var err error
	*client, err = open(words)
	return []string{"go-redis", redis.Version()}, err
}

func main() {
	var client *redis.Client
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		reply, err := said(&client, words[0], words[1:])
		if err != nil {
			fmt.Println("!", strings.Join(strings.Fields(err.Error()), " "))
		} else {
			fmt.Println("=", strings.Join(reply, " "))
		}
	}
}
