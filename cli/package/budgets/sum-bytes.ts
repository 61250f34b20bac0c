const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const valueOfDigit = new Map([...digits].map((digit, value) => [digit, value]));

/**
 * How many bytes of a file each of its sources takes up, by its source map.
 *
 * @param code in ASCII, as esbuild writes it, so that columns are bytes
 * @param mappings of the source map: lines by `;`, segments by `,`, each of base64 VLQs
 * @returns bytes by the index of the source; what comes from none is left out
 */
export function sumBytesBySource(code: string, mappings: string): Map<number, number> {
  const bytes = new Map<number, number>();
  const lines = code.split('\n');
  let source = 0;
  for (const [index, line] of mappings.split(';').entries()) {
    const end = lines[index]?.length ?? 0;
    let column = 0;
    let owner: number | undefined;
    const pass = (to: number) => {
      if (owner !== undefined) bytes.set(owner, (bytes.get(owner) ?? 0) + to - column);
      column = to;
    };
    for (const segment of line === '' ? [] : line.split(',')) {
      const [columns = 0, sources] = decode(segment);
      pass(column + columns);
      if (sources !== undefined) source += sources;
      owner = sources === undefined ? undefined : source;
    }
    pass(end);
  }
  return bytes;
}

/** The numbers of a segment: five bits a digit, the sixth says that more follow; the lowest bit is the sign. */
function decode(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const digit of segment) {
    const bits = valueOfDigit.get(digit) ?? 0;
    value += (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}
