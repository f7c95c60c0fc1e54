// The rows for people.

const fixed = (value, digits) => (value === null ? '-' : value.toFixed(digits));

function ratioLine({ library, name, ns, floor_ns: floorNs, ratio, quartiles, tool_ns: toolNs, price }) {
  return (
    `  ${library.padEnd(36)} ${name.padEnd(34)} ${fixed(ns, 2).padStart(9)} ${fixed(toolNs, 2).padStart(9)} ` +
    `${fixed(floorNs, 1).padStart(7)} ${ratio.toPrecision(3).padStart(8)}  ` +
    `${quartiles.map((q) => q.toPrecision(3)).join(' to ').padEnd(20)} ${price}`.trimEnd()
  );
}

function saturatedLine(row) {
  const share = row.share === null ? '-' : `${(row.share * 100).toFixed(2)} %`;
  return (
    `  ${row.library.padEnd(36)} ${row.name.padEnd(30)} ${String(row.threads).padStart(7)} ` +
    `${row.seconds.toFixed(2).padStart(7)} ${String(row.ids).padStart(9)} ${String(row.duplicates).padStart(10)} ` +
    `${share.padStart(9)} ${fixed(row.ahead_ms, 0).padStart(6)} ` +
    `${row.cpu_seconds_per_million.toFixed(4).padStart(10)}  ${row.price}`.trimEnd()
  );
}

function figureLine({ name, value, quartiles, unit }) {
  const spread = quartiles === null ? '' : `(${quartiles.map((q) => q.toFixed(1)).join(' to ')})`;
  return `  ${name.padEnd(56)} ${value.toFixed(1).padStart(8)} ${unit.padEnd(5)} ${spread}`.trimEnd();
}

const HEADS = {
  ratio:
    `  ${'library'.padEnd(36)} ${'call'.padEnd(34)} ${'ns'.padStart(9)} ${'mitata ns'.padStart(9)} ` +
    `${'floor'.padStart(7)} ${'x floor'.padStart(8)}  ${'quartiles'.padEnd(20)} price`,
  saturated:
    `  ${'library'.padEnd(36)} ${'call'.padEnd(30)} ${'threads'.padStart(7)} ${'seconds'.padStart(7)} ` +
    `${'ids'.padStart(9)} ${'duplicates'.padStart(10)} ${'share'.padStart(9)} ` +
    `${'ahead'.padStart(6)} ${'CPU s / M'.padStart(10)}  price`,
  figure: '',
};
const LINES = { ratio: ratioLine, saturated: saturatedLine, figure: figureLine };

export function tableOf(rows) {
  const lines = [];
  let title;
  for (const row of rows) {
    const group = row.group ?? 'saturated';
    if (group !== title) {
      title = group;
      lines.push('', title);
      if (HEADS[row.kind]) lines.push(HEADS[row.kind]);
    }
    lines.push(LINES[row.kind](row));
  }
  return `${lines.join('\n').trimStart()}\n`;
}
