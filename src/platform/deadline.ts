export interface Deadline {
  /** Starts again. */
  readonly restart: () => void;
  readonly clear: () => void;
}

const parts = 10;

/**
 * Calls back after a time in which an answer could have been read. If the whole process is paused, its timers expire
 * before it reads what has arrived meanwhile, so a plain timer would report a failure that did not happen. This one
 * expires in parts, and a pause takes one of them. On a busy process it expires later, by ten times the delay of a timer.
 */
export function startDeadline(ms: number, onExpired: () => void): Deadline {
  const partMs = Math.ceil(ms / parts);
  let left = parts;
  let timer: NodeJS.Timeout;
  const startPart = () => {
    timer = setTimeout(endPart, partMs).unref();
  };
  function endPart(): void {
    left -= 1;
    if (left > 0) startPart();
    else onExpired();
  }
  startPart();
  return {
    restart() {
      left = parts;
      timer.refresh();
    },
    clear: () => clearTimeout(timer),
  };
}
