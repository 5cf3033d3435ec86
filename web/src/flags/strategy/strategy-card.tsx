import { ActionIcon, Badge, Button, Group, Menu, Text, UnstyledButton } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconDots,
  IconEye,
  IconEyeOff,
  IconGripVertical,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { plural } from '../../ui/format.ts';
import { GuardedItem } from '../../ui/guarded.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import type { ShownStrategy } from '../feature/draft.ts';
import classes from '../flags.module.css';
import type { Part } from './differences.ts';
import { Sentence } from './sentence.tsx';
import { StrategyBody } from './strategy-body.tsx';
import { headlinePieces, plain, type SegmentNames } from './strategy-sentence.ts';

interface StrategyActions {
  readonly open: () => void;
  readonly remove: () => void;
  readonly restore: () => void;
  readonly toggle: () => void;
  readonly duplicate: () => void;
  readonly copyTo: (environment: string) => void;
  readonly move: (place: number) => void;
  /** Another card was dropped on this one. */
  readonly drop: (key: string) => void;
}

interface Props {
  readonly shown: ShownStrategy;
  readonly environment: string;
  readonly place: number;
  readonly count: number;
  readonly names: SegmentNames;
  /** Which parts differ from the environment that this one is compared with. */
  readonly marks: ReadonlySet<Part>;
  readonly otherEnvironments: readonly string[];
  readonly actions: StrategyActions;
  /** Why it may not be copied to an environment. */
  readonly copyRefusal: (environment: string) => string | undefined;
  /** Why nothing may be changed. */
  readonly refusal: string | undefined;
  readonly problems: number;
}

const stateWords = { changed: 'Edited', added: 'New', removed: 'Removed' } as const;

/** The type under which a dragged card travels, so that nothing else is taken for one. */
const dragType = (environment: string) => `application/x-burgee-strategy-${environment}`;

function Actions({
  place,
  count,
  shown,
  otherEnvironments,
  copyRefusal,
  actions,
  refusal,
  label,
}: Omit<Props, 'environment' | 'names' | 'marks' | 'problems'> & {
  readonly label: string;
}) {
  return (
    <MenuButton
      position="bottom-end"
      button={
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for strategy: ${label}`}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      }
    >
      <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={actions.open}>
        {refusal !== undefined ? 'View' : 'Edit'}
      </Menu.Item>
      <GuardedItem
        refusal={refusal}
        leftSection={<IconCopy size={16} aria-hidden />}
        onClick={actions.duplicate}
      >
        Duplicate
      </GuardedItem>
      <GuardedItem
        refusal={refusal}
        leftSection={
          shown.content.disabled ? (
            <IconEye size={16} aria-hidden />
          ) : (
            <IconEyeOff size={16} aria-hidden />
          )
        }
        onClick={actions.toggle}
      >
        {shown.content.disabled ? 'Enable' : 'Disable'}
      </GuardedItem>
      <GuardedItem
        refusal={refusal ?? (place === 0 ? 'Already first' : undefined)}
        leftSection={<IconArrowUp size={16} aria-hidden />}
        onClick={() => actions.move(place - 1)}
      >
        Move up
      </GuardedItem>
      <GuardedItem
        refusal={refusal ?? (place === count - 1 ? 'Already last' : undefined)}
        leftSection={<IconArrowDown size={16} aria-hidden />}
        onClick={() => actions.move(place + 1)}
      >
        Move down
      </GuardedItem>
      {otherEnvironments.length > 0 && (
        <Menu.Sub>
          <Menu.Sub.Target>
            <Menu.Sub.Item leftSection={<IconCopy size={16} aria-hidden />}>
              Copy to environment
            </Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown mah={320} style={{ overflow: 'auto' }}>
            {otherEnvironments.map((name) => (
              <GuardedItem
                key={name}
                refusal={copyRefusal(name)}
                onClick={() => actions.copyTo(name)}
              >
                {name}
              </GuardedItem>
            ))}
          </Menu.Sub.Dropdown>
        </Menu.Sub>
      )}
      <Menu.Divider />
      <GuardedItem
        refusal={refusal}
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={actions.remove}
      >
        Remove
      </GuardedItem>
    </MenuButton>
  );
}

/** A strategy: its title or its audience, then constraints, stickiness and variants. */
export function StrategyCard(props: Props) {
  const { shown, environment, place, count, names, marks, actions, refusal, problems } = props;
  const { content, state } = shown;
  const [isTarget, setTarget] = useState(false);
  const head = headlinePieces(content, names);
  // A title that only repeats the audience is not shown twice.
  const title = content.title === plain(head) ? '' : content.title;
  const label = title || plain(head);
  const isRemoved = state === 'removed';
  const canMove = refusal === undefined && !isRemoved && count > 1;
  const mark = (part: Part) => marks.has(part) || undefined;
  const headline = <Sentence pieces={head} marksShare={marks.has('rollout')} />;
  const markedAudience = mark('constraints') ?? mark('segments');

  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = place + step;
    if (next >= 0 && next < count) actions.move(next);
  };
  const carries = ({ dataTransfer }: DragEvent) =>
    dataTransfer.types.includes(dragType(environment));

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handle moves it by keyboard
    <div
      className={classes.strategy}
      data-disabled={content.disabled || isRemoved || undefined}
      data-state={state}
      data-target={isTarget || undefined}
      onDragOver={(event) => {
        if (!carries(event)) return;
        event.preventDefault();
        setTarget(true);
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        setTarget(false);
        if (!carries(event)) return;
        event.preventDefault();
        actions.drop(event.dataTransfer.getData(dragType(environment)));
      }}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap={4}>
        <UnstyledButton
          className={classes.open}
          onClick={actions.open}
          disabled={isRemoved}
          aria-label={`${refusal === undefined ? 'Edit' : 'View'} strategy: ${label}`}
        >
          <Text component="span" fw={600} td={isRemoved ? 'line-through' : undefined}>
            {title ? (
              <span dir="auto" data-marked={mark('title')}>
                {title}
              </span>
            ) : (
              <span data-marked={markedAudience}>{headline}</span>
            )}
          </Text>
        </UnstyledButton>
        <Group gap={0} wrap="nowrap" className={classes.above}>
          {isRemoved ? (
            <Button size="compact-xs" variant="default" onClick={actions.restore}>
              Restore
            </Button>
          ) : (
            <>
              {canMove && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  className={classes.grip}
                  draggable
                  id={`move ${shown.key}`}
                  aria-label={`Reorder strategy ${place + 1} of ${count} (use arrow keys)`}
                  onKeyDown={onKey}
                  onDragStart={(event) => {
                    event.dataTransfer.setData(dragType(environment), shown.key);
                    event.dataTransfer.effectAllowed = 'move';
                    const card = event.currentTarget.closest(`.${classes.strategy}`);
                    if (card) event.dataTransfer.setDragImage(card, 20, 20);
                  }}
                >
                  <IconGripVertical size={16} aria-hidden />
                </ActionIcon>
              )}
              <Actions {...props} label={label} />
            </>
          )}
        </Group>
      </Group>
      <Group gap={6}>
        {state !== 'same' && (
          <Badge color={isRemoved ? 'red' : 'yellow'} variant="light" tt="none" size="sm">
            {stateWords[state]}
          </Badge>
        )}
        {problems > 0 && (
          <Badge color="red" variant="light" tt="none" size="sm">
            {plural(problems, 'error')}
          </Badge>
        )}
        {content.disabled && (
          <Badge color="gray" variant="light" tt="none" size="sm" data-marked={mark('disabled')}>
            Disabled
          </Badge>
        )}
      </Group>
      {title && (
        <Text size="sm" component="div" data-marked={markedAudience}>
          {headline}
        </Text>
      )}
      <StrategyBody content={content} names={names} marks={marks} />
    </div>
  );
}
