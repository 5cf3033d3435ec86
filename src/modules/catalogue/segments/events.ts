import { defineEvent } from '../../events/index.ts';
import type { Segment } from './contract.ts';

/** What the log tells of a segment; `userId` is whom `createdBy` names, so that it can be erased. */
interface SegmentFacts extends Segment {
  userId: number;
}

const personal = ['createdBy'];

export const segmentCreated = defineEvent<SegmentFacts>({
  type: 'segment-created',
  label: 'Segment created',
  summary: ({ user, data, project, bold }) =>
    `${user} created the segment ${bold(data.name)}${project && ` in the project ${project}`}`,
  personal,
});

export const segmentUpdated = defineEvent<SegmentFacts>({
  type: 'segment-updated',
  label: 'Segment updated',
  summary: ({ user, data, project, bold }) =>
    `${user} changed the segment ${bold(data.name)}${project && ` in the project ${project}`}`,
  personal,
});

export const segmentDeleted = defineEvent<SegmentFacts>({
  type: 'segment-deleted',
  label: 'Segment deleted',
  summary: ({ user, preData, project, bold }) =>
    `${user} deleted the segment ${bold(preData.name)}${project && ` in the project ${project}`}`,
  personal,
});
