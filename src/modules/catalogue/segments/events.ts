import { defineEvent } from '../../events/index.ts';
import type { Segment } from './contract.ts';

/** A segment as events store it. `userId` belongs to `createdBy`, so that the name can be erased. */
interface SegmentEventData extends Segment {
  userId: number;
}

const personal = ['createdBy'];

export const segmentCreated = defineEvent<SegmentEventData>({
  type: 'segment-created',
  summary: ({ user, data, project, bold }) =>
    `${user} created segment ${bold(data.name)}${project && ` in ${project}`}`,
  personal,
});

export const segmentUpdated = defineEvent<SegmentEventData>({
  type: 'segment-updated',
  summary: ({ user, data, project, bold }) =>
    `${user} updated segment ${bold(data.name)}${project && ` in ${project}`}`,
  personal,
});

export const segmentDeleted = defineEvent<SegmentEventData>({
  type: 'segment-deleted',
  summary: ({ user, preData, project, bold }) =>
    `${user} deleted segment ${bold(preData.name)}${project && ` from ${project}`}`,
  personal,
});
