import { Badge, Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { withNames } from '../../directory.ts';
import { ChangeRows } from '../../events/change-rows.tsx';
import { labelOf } from '../../events/sentence.ts';
import { Effects, Limits } from '../../governance/effect.tsx';
import { agree, numberText, plural } from '../../ui/format.ts';
import { valueInWords } from '../../ui/json-changes.ts';
import { JsonDiff } from '../../ui/json-diff.tsx';
import { PageLink } from '../../ui/link.tsx';
import { ProductionMark } from '../../ui/production-mark.tsx';
import { useDirectory } from '../../use-directory.ts';
import classes from './revert.module.css';
import {
  type Conflict,
  fateText,
  fieldText,
  type PlannedChange,
  type Plan as RevertPlan,
  thingText,
  valuesOf,
  withKeys,
} from './words.ts';

const EventLink = ({ id }: { readonly id: number }) => (
  <PageLink to="/history" search={{ event: id }} inherit target="_blank">
    #{numberText(id)}
  </PageLink>
);

interface PartProps {
  readonly title: string;
  readonly children: ReactNode;
}

const Part = ({ title, children }: PartProps) => (
  <section aria-label={title}>
    <Title order={3} size="h6" mb={6}>
      {title}
    </Title>
    {children}
  </section>
);

interface ChangeProps {
  readonly change: PlannedChange;
  readonly isProduction: boolean;
}

function PlannedChangeItem({ change, isProduction }: ChangeProps) {
  const [isOpen, setOpen] = useState(false);
  const directory = useDirectory();
  const [before, after] = [change.before, change.after].map(
    (state) => state && withNames(withKeys(state), directory),
  );
  const fate = fateText(change);
  const text = thingText(change, directory);
  return (
    <li className={classes.item}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Group gap={6} className={classes.name ?? ''}>
          <Text size="sm" fw={600} component="span">
            {text}
          </Text>
          {isProduction && <ProductionMark name={change.environment ?? ''} />}
          {fate !== undefined && (
            <Badge color="gray" variant="light" tt="none" size="sm">
              {fate}
            </Badge>
          )}
        </Group>
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Hide' : 'Show'} diff of ${text}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Hide diff' : 'Show diff'}
        </Button>
      </Group>
      <ChangeRows changes={valuesOf(before, after)} />
      {isOpen && <JsonDiff before={before ?? null} after={after ?? null} />}
    </li>
  );
}

function ConflictItem({ conflict }: { readonly conflict: Conflict }) {
  const { field, then, now, eventIds, reason } = conflict;
  const directory = useDirectory();
  const shown = (value: unknown) => valueInWords(withNames(withKeys(value), directory));
  return (
    <li className={classes.item}>
      <Text size="sm">
        <b>{thingText(conflict, directory)}</b>
        {field !== '' && `: ${fieldText(field)}`}
      </Text>
      <dl className={classes.sides}>
        <dt className="quiet">Before the change</dt>
        <dd>{shown(then)}</dd>
        <dt className="quiet">Now</dt>
        <dd>{shown(now)}</dd>
      </dl>
      <Text size="sm" className="quiet">
        {reason}
        {eventIds.length > 0 && ' by '}
        {eventIds.map((id, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <EventLink id={id} />
          </span>
        ))}
        .
      </Text>
    </li>
  );
}

interface Props {
  readonly plan: RevertPlan;
  readonly productions: ReadonlySet<string>;
  readonly keepsCurrent: boolean;
  readonly onKeepsCurrent: (keepsCurrent: boolean) => void;
}

/** What a revert would do: changes, conflicts, the effect on evaluations, and what can't be reverted. */
export function Plan({ plan, productions, keepsCurrent, onKeepsCurrent }: Props) {
  const { changes, conflicts, decisions, notReverted } = plan;
  return (
    <Stack gap="md">
      {changes.length > 0 && (
        <Part title={plural(changes.length, 'change')}>
          <ul className={classes.list}>
            {changes.map((change) => (
              <PlannedChangeItem
                key={JSON.stringify([change.type, change.name, change.environment])}
                change={change}
                isProduction={productions.has(change.environment ?? '')}
              />
            ))}
          </ul>
        </Part>
      )}
      {conflicts.length > 0 && (
        <Part title={plural(conflicts.length, 'conflict')}>
          <Text size="sm" mb={6}>
            {agree(conflicts.length, 'This value conflicts', 'These values conflict')} with later
            changes.
          </Text>
          <ul className={classes.list}>
            {conflicts.map((conflict) => (
              <ConflictItem
                key={JSON.stringify([
                  conflict.type,
                  conflict.name,
                  conflict.environment,
                  conflict.field,
                ])}
                conflict={conflict}
              />
            ))}
          </ul>
          {changes.length > 0 && (
            <Checkbox
              mt="sm"
              size="sm"
              label={`Keep the current ${agree(conflicts.length, 'value', 'values')} and revert the rest`}
              checked={keepsCurrent}
              onChange={({ currentTarget }) => onKeepsCurrent(currentTarget.checked)}
            />
          )}
        </Part>
      )}
      {decisions && (
        <Part title={`Effect in ${decisions.environment}`}>
          <Stack gap="xs">
            <Effects preview={decisions} environment={decisions.environment} />
            {decisions.contexts > 0 && <Limits preview={decisions} tried={0} />}
          </Stack>
        </Part>
      )}
      {notReverted.length > 0 && (
        <Part title={`${plural(notReverted.length, 'event')} can't be reverted`}>
          <ul
            className={classes.reasons}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by the keyboard too
            tabIndex={0}
            aria-label="Events that can't be reverted"
          >
            {notReverted.map(({ eventId, type, reason }) => (
              <li key={eventId}>
                <Text size="sm">
                  <EventLink id={eventId} /> {labelOf(type)}
                </Text>
                <Text size="sm" className="quiet">
                  {reason}.
                </Text>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </Stack>
  );
}
