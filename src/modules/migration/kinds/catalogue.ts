import { isDeepStrictEqual } from 'node:util';
import { changeContextField, createContextField } from '../../catalogue/context-fields/index.ts';
import { changeEnvironment, createEnvironment } from '../../catalogue/environments/index.ts';
import { changeSegment, createSegment } from '../../catalogue/segments/index.ts';
import {
  changeStrategyType,
  createStrategyType,
  deprecateStrategyType,
  reactivateStrategyType,
  type StrategyParameter,
} from '../../catalogue/strategy-types/index.ts';
import { changeTagType, createTag, ensureTagType } from '../../catalogue/tags/index.ts';
import { importFeatureType, setLifetime } from '../../flags/features/index.ts';
import { defineImport } from '../events.ts';
import { insertThing, listSegmentIds } from '../queries.ts';
import { asOf } from '../run/as-of.ts';
import { byName, isSameApartFromCreation, type KindDefinition, oneByOne } from './kind.ts';

export const environment: KindDefinition<'environment'> = {
  event: defineImport('environment-import', 'environment'),
  listIn: ({ environments }) => environments,
  nameOf: byName,
  // A source other than Burgee may not have the number of approvals.
  isSame: ({ requiredApprovals, ...own }, wanted) =>
    isDeepStrictEqual(
      wanted.requiredApprovals !== undefined && requiredApprovals !== undefined
        ? { ...own, requiredApprovals }
        : own,
      wanted,
    ),
  about: ({ name }) => ({ environment: name }),
  run: oneByOne((tx, { before, after }) => {
    const { name, ...settings } = after;
    return before
      ? changeEnvironment(tx, name, settings)
      : createEnvironment(tx, { name, ...settings });
  }),
};

export const featureType: KindDefinition<'featureType'> = {
  event: defineImport('feature-type-updated', 'feature type'),
  listIn: ({ featureTypes }) => featureTypes,
  nameOf: ({ id }) => id,
  isSame: (own, wanted) => (own.lifetimeDays || null) === (wanted.lifetimeDays || null),
  run: oneByOne((tx, { before, after }) => {
    const { id, name = id, description = '', lifetimeDays } = after;
    return before
      ? setLifetime(tx, id, lifetimeDays)
      : importFeatureType(tx, { id, name, description, lifetimeDays });
  }),
};

export const contextField: KindDefinition<'contextField'> = {
  event: defineImport('context-field-updated', 'context field'),
  listIn: ({ contextFields }) => contextFields,
  nameOf: byName,
  isSame: (own, { project: _, ...wanted }) => isSameApartFromCreation(own, wanted),
  run: oneByOne(async (tx, { before, after }) => {
    const { name, createdAt, project: _, ...field } = after;
    const input = { ...field, legalValues: field.legalValues.map((each) => ({ ...each })) };
    if (before) await changeContextField(tx, name, input);
    else await createContextField(await asOf(tx, { createdAt }), { name, ...input });
  }),
};

export const tagType: KindDefinition<'tagType'> = {
  event: defineImport('tag-type-import', 'tag type'),
  listIn: ({ tagTypes }) => tagTypes,
  nameOf: byName,
  run: oneByOne((tx, { before, after }) => {
    const { name, description, icon, color } = after;
    const input = {
      description,
      ...(icon !== null && { icon }),
      ...(color !== null && { color }),
    };
    return before ? changeTagType(tx, name, input) : ensureTagType(tx, { name, ...input });
  }),
};

export const tag: KindDefinition<'tag'> = {
  event: defineImport('tag-import', 'tag'),
  listIn: ({ tags }) => tags,
  nameOf: ({ type, value }) => `${type}:${value}`,
  run: oneByOne((tx, { after }) => createTag(tx, after)),
};

export const strategyType: KindDefinition<'strategyType'> = {
  event: defineImport('strategy-import', 'strategy type'),
  listIn: ({ strategyTypes }) => strategyTypes,
  nameOf: byName,
  run: oneByOne(async (tx, { before, after }) => {
    const { deprecated, title, parameters, ...type } = after;
    const input = {
      ...type,
      ...(before ? { title: title ?? '' } : title !== null && { title }),
      // Their types have been checked by the contract of the endpoint.
      parameters: parameters.map((each) => ({ ...each })) as StrategyParameter[],
    };
    if (before) await changeStrategyType(tx, type.name, input);
    else await createStrategyType(tx, input);
    if (deprecated) await deprecateStrategyType(tx, type.name);
    else if (before) await reactivateStrategyType(tx, type.name);
  }),
};

export const segment: KindDefinition<'segment'> = {
  event: defineImport('segment-import', 'segment'),
  listIn: ({ segments }) => segments,
  nameOf: byName,
  about: ({ project }) => (project === null ? {} : { project }),
  run: oneByOne(async (tx, { before, after }, { source }) => {
    const { id: theirId, constraints, createdAt, createdBy, ...settings } = after;
    const input = { ...settings, constraints: [...constraints] };
    const own = (await listSegmentIds(tx.db)).get(before?.name ?? after.name);
    if (own !== undefined) {
      await changeSegment(tx, String(own), input, { keepsValues: true });
      return;
    }
    const creation = { createdAt, ...(createdBy && { createdBy }) };
    const { id } = await createSegment(await asOf(tx, creation), input, { keepsValues: true });
    if (theirId !== undefined) await insertThing(tx, source, 'segment', theirId, id);
  }),
};
