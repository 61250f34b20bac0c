import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SpeedMeter } from '#console/kit/uploads/speed-meter.ts';
import { acceptOf, chooseWay, listEndings, nextPart, typeOfName } from '#console/kit/uploads/upload-plan.ts';
import { retryDelayMs, toProblem } from '#console/kit/uploads/upload-problem.ts';

const failure = (status: number, code: string, retryAfterSeconds?: number) =>
  Object.assign(new Error('text'), { status, code, retryAfterSeconds });

describe('the plan of an upload', () => {
  test.each([
    ['photo.JPG', 'image'],
    ['a.b.mp4', 'video'],
    ['report.pdf', 'file'],
    ['evil.exe', undefined],
    ['png', undefined],
    ['', undefined],
  ])('takes the type of %j from its ending', (name, type) => {
    expect(typeOfName(name)).toBe(type);
  });

  test('lists the endings of one type, or of all', () => {
    expect(acceptOf('video')).toBe('.mp4,.mov,.avi,.wmv,.mkv,.webm');
    expect(listEndings()).toEqual(expect.arrayContaining(['png', 'mp4', 'pdf']));
  });

  test('sends files above the limit of a deployed function by ticket', () => {
    expect([1, 4_194_304, 4_194_305].map(chooseWay)).toEqual(['form', 'form', 'direct']);
  });

  test('cuts a file into parts that follow each other and cover it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 1, max: 4000 }),
        (size, partSize) => {
          let received = 0;
          for (
            let part = nextPart(size, partSize, received);
            part;
            part = nextPart(size, partSize, received)
          ) {
            expect(part.start).toBe(received);
            expect(part.end - part.start).toBeGreaterThan(0);
            expect(part.end - part.start).toBeLessThanOrEqual(partSize);
            received = part.end;
          }
          expect(received).toBe(size);
        },
      ),
    );
  });

  test('sends the whole file if the engine takes no parts', () => {
    expect(nextPart(9, undefined, 0)).toEqual({ start: 0, end: 9 });
  });
});

describe('the answer to a failed upload', () => {
  test.each([
    [0, 'network', 'network'],
    [422, 'upload.extension_not_allowed', 'type'],
    [413, 'upload.too_large', 'size'],
    [422, 'upload.content_mismatch', 'content'],
    [422, 'upload.active_content', 'content'],
    [422, 'upload.empty', 'empty'],
    [409, 'upload.ticket_invalid', 'expired'],
    [429, 'throttle.exceeded', 'busy'],
    [503, 'storage.not_configured', 'other'],
  ])('maps %d %s to %s', (status, code, kind) => {
    expect(toProblem(failure(status, code))).toEqual({ kind, message: 'text' });
  });

  test('sends again after a lost connection and a failure of the service, later each time', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((tries) => retryDelayMs(failure(0, 'network'), tries));

    expect(delays).toEqual([1000, 2000, 4000, 8000, 15_000, undefined]);
    expect(retryDelayMs(failure(503, 'storage.unavailable'), 1)).toBe(1000);
  });

  test('waits as long as the service says', () => {
    expect(retryDelayMs(failure(429, 'throttle.exceeded', 42), 1)).toBe(42_000);
  });

  test.each([401, 403, 409, 413, 422])('does not repeat what the service refuses with %d', (status) => {
    expect(retryDelayMs(failure(status, 'x'), 1)).toBeUndefined();
  });

  test('does not repeat a fault of the console', () => {
    expect(retryDelayMs(new TypeError('x'), 1)).toBeUndefined();
    expect(toProblem(new TypeError('x'))).toEqual({ kind: 'other', message: 'x' });
  });
});

describe('the speed of an upload', () => {
  test('is measured over the last five seconds', () => {
    const meter = new SpeedMeter();
    meter.add(0, 0);
    meter.add(1000, 1000);
    for (const second of [10, 11, 12, 13, 14, 15, 16]) meter.add(1000 + (second - 9) * 500, second * 1000);

    expect(meter.bytesPerSecond).toBe(500);
  });

  test('is unknown at first and after a step back', () => {
    const meter = new SpeedMeter();
    meter.add(500, 0);
    const first = meter.bytesPerSecond;
    meter.add(900, 1000);
    meter.add(100, 1500);

    expect([first, meter.bytesPerSecond]).toEqual([0, 0]);
  });
});
