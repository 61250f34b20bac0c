// Loaded into the process of a test's server (`node --import`): at SIGUSR2, a minute has passed by the
// clock, and timers of a minute or more fire.

const minuteMs = 60_000;
const waiting = new Map<NodeJS.Timeout, () => void>();
const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;

const forget = (timer: Parameters<typeof clearTimeout>[0]) => {
  if (typeof timer === 'object') waiting.delete(timer);
};

Object.assign(globalThis, {
  setTimeout(work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) {
    const timer = setTimeout(work, ms, ...args);
    const fire = () => {
      clearTimeout(timer);
      waiting.delete(timer);
      work(...args);
    };
    if (Number(ms) >= minuteMs) waiting.set(timer, fire);
    return timer;
  },
  setInterval(work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) {
    const timer = setInterval(work, ms, ...args);
    if (Number(ms) >= minuteMs) waiting.set(timer, () => work(...args));
    return timer;
  },
  clearTimeout(timer: Parameters<typeof clearTimeout>[0]) {
    forget(timer);
    clearTimeout(timer);
  },
  clearInterval(timer: Parameters<typeof clearInterval>[0]) {
    forget(timer);
    clearInterval(timer);
  },
});

const { Date: Clock } = globalThis;
let passedMs = 0;
globalThis.Date = class extends Clock {
  static override now = () => Clock.now() + passedMs;
  constructor(...given: [] | [number]) {
    if (given.length === 0) super(Clock.now() + passedMs);
    else super(...given);
  }
} as DateConstructor;

process.on('SIGUSR2', () => {
  passedMs += minuteMs;
  for (const fire of [...waiting.values()]) fire();
});
