import type { FastifyReply } from 'fastify';
import type { Actor } from '../../../platform/db/database.ts';
import { sendReadyJson } from '../../../platform/http/long-json.ts';
import type { EventFieldVisibility } from '../event-json.ts';
import type { Page } from './search.ts';

export const isAdministrator = (actor: Actor): boolean => actor.may('ADMIN');

export const fieldVisibilityFor = (actor: Actor): EventFieldVisibility => ({
  ip: isAdministrator(actor),
  proof: false,
});

/** Sends the page as it came from the database, because it is JSON already. */
export const sendPage = (
  reply: FastifyReply,
  page: Page,
  fields: Readonly<Record<string, unknown>>,
) => {
  const others = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return sendReadyJson(reply, `{"events":[${page.json}]${others.join('')}}`);
};
