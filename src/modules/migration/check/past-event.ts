import { AppError, type Fault } from '../../../platform/errors.ts';
import { findUnstorable } from '../../../platform/http/storable.ts';
import type { PastEvent } from '../history/read.ts';

/** As large as the things that events are about may be, before and after. */
const maxCharacters = 4 * 1024 * 1024;
const maxName = 255;
const maxId = 2_147_483_647;
/** Clocks differ. */
const aheadMs = 24 * 60 * 60 * 1000;

const isName = (text: string | null): boolean => text === null || text.length <= maxName;

function isStorable(event: PastEvent): boolean {
  const faults: Fault[] = [];
  try {
    findUnstorable(event, [], faults);
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
  return faults.length === 0 && JSON.stringify(event).length <= maxCharacters;
}

/** Whether an event of another log can be one of ours. No endpoint creates events, so the bounds are here. */
export function isSoundEvent(event: PastEvent, now: Date): boolean {
  const { id, type, createdAt, createdBy, project, environment, featureName, tags } = event;
  const at = Date.parse(createdAt);
  return (
    Number.isInteger(id) &&
    id > 0 &&
    id <= maxId &&
    type !== '' &&
    at >= 0 &&
    at <= now.getTime() + aheadMs &&
    [type, createdBy, project, environment, featureName].every(isName) &&
    tags.every((tag) => isName(tag.type) && isName(tag.value)) &&
    isStorable(event)
  );
}
