// Says what ids mean:  decode.mjs LAYOUT ID [LAYOUT ID ...]
import { Layout } from 'polyflake';
import { say } from './say.mjs';

for (let i = 2; i + 1 < process.argv.length; i += 2) say(process.argv[i + 1], new Layout(process.argv[i]));
