// Takes numbers of ticket servers, and prints them: table, count, address...
import { Tickets } from 'polyflake';

const [table, count, ...store] = process.argv.slice(2);
const ids = await Tickets.open({ store, table, timeoutMs: 60_000 });
const numbers = await ids.nextIdsAsync(Number(count));
if (ids.stats().storeFailures !== 0) throw new Error('a server failed');
process.stdout.write(numbers.join(' '));
ids.close();
