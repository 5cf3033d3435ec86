import { access } from './modules/access/index.ts';
import { clone } from './modules/clone/index.ts';
import { context } from './modules/context/index.ts';
import { environments } from './modules/environments/index.ts';
import { events } from './modules/events/index.ts';
import { features } from './modules/features/index.ts';
import { projects } from './modules/projects/index.ts';
import { reorganisation } from './modules/reorganisation/index.ts';
import { segments } from './modules/segments/index.ts';
import { strategies } from './modules/strategies/index.ts';
import { strategyTypes } from './modules/strategy-types/index.ts';
import { tags } from './modules/tags/index.ts';
import { transfer } from './modules/transfer/index.ts';

/** The parts of the service, lowest first. */
export const modules = [
  events,
  access,
  environments,
  context,
  segments,
  strategyTypes,
  projects,
  tags,
  features,
  strategies,
  clone,
  reorganisation,
  transfer,
] as const;
