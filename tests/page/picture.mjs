// The picture in README.md:  node tests/page/picture.mjs docs/inspector.png
import { launch, open } from './browser.mjs';

const [path] = process.argv.slice(2);
const browser = await launch();
const page = await open(browser, { viewport: { width: 1080, height: 730 }, colorScheme: 'light' });
await page.screenshot({ path });
await page.close();
await browser.close();
