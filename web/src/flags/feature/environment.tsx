import { ActionIcon, Button, Group, Menu, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import {
  IconArrowsDiff,
  IconCalendarTime,
  IconChevronDown,
  IconCopy,
  IconDots,
  IconPlus,
  IconVersions,
} from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { maxStrategies } from '../../../../src/modules/flags/features/strategies/add/contract.ts';
import { PendingChanges } from '../../governance/pending.tsx';
import { agree, limit, plural } from '../../ui/format.ts';
import { GuardedButton, GuardedItem } from '../../ui/guarded.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { MenuButton, PopoverButton } from '../../ui/menu-button.tsx';
import { ProductionMark } from '../../ui/production-mark.tsx';
import { Since } from '../../ui/time.tsx';
import classes from '../flags.module.css';
import { DetailList } from '../strategy/detail-list.tsx';
import {
  counterparts,
  type Detail,
  environmentDifferences,
  type Part,
  strategyDifferences,
} from '../strategy/differences.ts';
import { StrategyCard } from '../strategy/strategy-card.tsx';
import { strategyProblems } from '../strategy/strategy-check.ts';
import type { Environment, StrategyContent } from '../strategy/strategy-sentence.ts';
import { VariantBar } from '../strategy/variant-bar.tsx';
import { FeatureSwitch } from '../switch.tsx';
import {
  addStrategy,
  changeStrategy,
  copyStrategies,
  moveStrategy,
  newKey,
  remaining,
  removeStrategy,
  restoreStrategy,
  type ShownStrategy,
  shownStrategies,
} from './draft.ts';
import { useFeatureRefusals } from './feature-refusal.ts';
import { lastHourText } from './usage-words.ts';
import { route, useFeatureView } from './view.ts';

const ScheduleSwitch = lazyPart(
  () => import('../../governance/schedule-switch.tsx'),
  'ScheduleSwitch',
);

/** Beyond these, the rest of a long list is shown on demand. */
const shownAtFirst = 10;

/** What an environment would be after saving. */
function useStateAfterSaving() {
  const { draft } = useFeatureView();
  return ({ name, enabled, strategies }: Environment) => ({
    enabled: draft.environments[name]?.enabled?.after ?? enabled,
    strategies: remaining(shownStrategies(strategies, draft.environments[name])).map(
      ({ content }) => content,
    ),
  });
}

interface Usage {
  readonly yes: number;
  readonly no: number;
}

interface Props {
  readonly environment: Environment;
  /** The environment that this one is compared with; undefined for itself. */
  readonly reference: Environment | undefined;
  readonly usage: Usage | undefined;
}

function Differences({
  reference,
  differences,
}: {
  readonly reference: string;
  readonly differences: readonly Detail[];
}) {
  if (differences.length === 0) {
    return (
      <Text size="xs" className="quiet" py={4}>
        Same as {reference}
      </Text>
    );
  }
  return (
    <PopoverButton
      width={340}
      position="bottom-start"
      button={
        <UnstyledButton className={classes.differs}>
          <IconArrowsDiff size={14} aria-hidden />
          {plural(differences.length, 'difference')}
        </UnstyledButton>
      }
    >
      <Text size="sm" fw={600} mb={4}>
        Compared with {reference}
      </Text>
      <DetailList details={differences} />
    </PopoverButton>
  );
}

/** Adds a gradual rollout, or a strategy of another type that is not deprecated. */
function AddStrategy({
  environment,
  isFull,
  refusal,
  add,
}: {
  readonly environment: string;
  readonly isFull: boolean;
  readonly refusal: string | undefined;
  readonly add: (type: string) => void;
}) {
  const { catalogue } = useFeatureView();
  const reason = isFull ? limit(maxStrategies, maxStrategies, 'strategy', 'strategies') : refusal;
  const others = [...catalogue.types.values()].filter(
    ({ name, deprecated }) => !deprecated && name !== 'flexibleRollout',
  );
  return (
    <Group gap={0}>
      <GuardedButton
        refusal={reason}
        size="compact-sm"
        variant="subtle"
        className="flush"
        leftSection={<IconPlus size={14} aria-hidden />}
        aria-label={`Add strategy to ${environment}`}
        onClick={() => add('flexibleRollout')}
      >
        Add strategy
      </GuardedButton>
      {reason === undefined && others.length > 0 && (
        <MenuButton
          position="bottom-start"
          dropdown={{ maw: 320 }}
          button={
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Choose strategy type for ${environment}`}
            >
              <IconChevronDown size={16} aria-hidden />
            </ActionIcon>
          }
        >
          {others.map(({ name, displayName, description }) => (
            <Menu.Item key={name} onClick={() => add(name)}>
              <Text size="sm">{displayName}</Text>
              <Text size="xs" className="quiet" lineClamp={2}>
                {description}
              </Text>
            </Menu.Item>
          ))}
        </MenuButton>
      )}
    </Group>
  );
}

/** A feature in one environment: whether it is enabled, and for whom. */
export function EnvironmentColumn({ environment, reference, usage }: Props) {
  const { project, feature, draft, change, catalogue } = useFeatureView();
  const navigate = route.useNavigate();
  const [isLong, setLong] = useState(false);
  const [isScheduling, setScheduling] = useState(false);
  const afterSaving = useStateAfterSaving();
  const { name, type, strategies, lastSeenAt } = environment;
  const refusalOf = useFeatureRefusals();
  const copyRefusal = (target: string) => refusalOf('CREATE_FEATURE_STRATEGY', target);
  const createRefusal = refusalOf('CREATE_FEATURE_STRATEGY', name);
  const updateRefusal = refusalOf('UPDATE_FEATURE_STRATEGY', name);
  const variantsRefusal = refusalOf('UPDATE_FEATURE_ENVIRONMENT_VARIANTS', name);
  const variantsVerb = variantsRefusal === undefined ? 'Edit' : 'View';
  const shown = shownStrategies(strategies, draft.environments[name]);
  const keys = shown.map(({ key }) => key);
  const left = remaining(shown);
  const variants = draft.environments[name]?.variants?.after ?? environment.variants;
  // The same objects as in the cards, so that a card finds its counterpart.
  const own = { ...afterSaving(environment), strategies: left.map(({ content }) => content) };
  const others = feature.environments.filter((each) => each.name !== name);
  const other = reference && afterSaving(reference);
  const lastHour = usage && lastHourText(usage);
  const pairs = other && counterparts(own.strategies, other.strategies);

  const open = (key: string) =>
    void navigate({ search: (before) => ({ ...before, strategy: `${name}/${key}` }) });
  const add = (typeName: string, content?: StrategyContent, after?: string) => {
    const key = newKey();
    const made: StrategyContent = content ?? {
      name: typeName,
      disabled: false,
      parameters:
        typeName === 'flexibleRollout'
          ? { rollout: '100', stickiness: 'default', groupId: feature.name }
          : {},
      constraints: [],
      segments: [],
      variants: [],
    };
    change((before) =>
      addStrategy(
        before,
        name,
        { key, content: made },
        after === undefined ? undefined : { keys, after },
      ),
    );
    open(key);
  };
  const move = (key: string, place: number) => {
    change((before) =>
      moveStrategy(
        before,
        name,
        keys,
        strategies.map(({ id }) => id),
        key,
        place,
      ),
    );
    // Moving it in the document takes the focus from it.
    requestAnimationFrame(() => document.getElementById(`move ${key}`)?.focus());
  };
  const actionsOf = (strategy: ShownStrategy, place: number) => ({
    open: () => open(strategy.key),
    remove: () => change((before) => removeStrategy(before, name, strategy)),
    restore: () => change((before) => restoreStrategy(before, name, strategy.key)),
    toggle: () =>
      change((before) =>
        changeStrategy(before, name, strategy, {
          ...strategy.content,
          disabled: !strategy.content.disabled,
        }),
      ),
    duplicate: () => add(strategy.content.name, strategy.content, strategy.key),
    copyTo: (target: string) =>
      change((before) => copyStrategies(before, target, [strategy.content])),
    move: (next: number) => move(strategy.key, next),
    drop: (key: string) => move(key, place),
  });
  const marksOf = ({ content }: ShownStrategy): ReadonlySet<Part> => {
    const counterpart = pairs?.get(content);
    if (!counterpart) return new Set();
    return new Set(
      strategyDifferences(counterpart, content, catalogue.names).map(({ part }) => part),
    );
  };

  return (
    <section
      className={`card ${classes.environment}`}
      aria-label={name}
      data-production={type === 'production' || undefined}
    >
      {isScheduling && (
        <Suspense>
          <ScheduleSwitch
            project={project}
            feature={feature.name}
            environment={name}
            enabled={environment.enabled}
            onClose={() => setScheduling(false)}
          />
        </Suspense>
      )}
      <div className={classes.environmentHead}>
        <Group justify="space-between" align="flex-start" gap="xs">
          <div className={classes.environmentName}>
            <Group gap={6}>
              <Title order={2} size="h5" className={classes.title} title={name}>
                {name}
              </Title>
              {type === 'production' && <ProductionMark name={name} />}
            </Group>
            <Text size="xs" className="quiet tabular">
              {lastHour ??
                (lastSeenAt ? (
                  <>
                    Last evaluated <Since instant={lastSeenAt} />
                  </>
                ) : (
                  'Never evaluated'
                ))}
            </Text>
            <PendingChanges project={project} feature={feature.name} environment={name} />
            {reference && (
              <Differences
                reference={reference.name}
                differences={other ? environmentDifferences(own, other, catalogue.names) : []}
              />
            )}
          </div>
          <Group gap={4} wrap="nowrap" mih={28}>
            {feature.archived ? (
              <Text size="xs" className="quiet">
                Disabled
              </Text>
            ) : (
              <FeatureSwitch
                project={project}
                feature={feature.name}
                environment={name}
                type={type}
                enabled={environment.enabled}
              />
            )}
            <MenuButton
              position="bottom-end"
              dropdown={{ mah: 360, style: { overflow: 'auto' } }}
              button={
                <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
                  <IconDots size={16} aria-hidden />
                </ActionIcon>
              }
            >
              <Menu.Item
                leftSection={<IconVersions size={16} aria-hidden />}
                onClick={() =>
                  void navigate({ search: (before) => ({ ...before, variants: name }) })
                }
              >
                Environment variants…
              </Menu.Item>
              {!feature.archived && (
                <GuardedItem
                  leftSection={<IconCalendarTime size={16} aria-hidden />}
                  refusal={refusalOf('UPDATE_FEATURE_ENVIRONMENT', name)}
                  onClick={() => setScheduling(true)}
                >
                  {environment.enabled ? 'Disable' : 'Enable'} at a later time…
                </GuardedItem>
              )}
              {left.length > 0 && others.length > 0 && (
                <Menu.Label>
                  Copy {agree(left.length, 'strategy', `${left.length} strategies`)} to
                </Menu.Label>
              )}
              {left.length > 0 &&
                others.map((target) => (
                  <GuardedItem
                    key={target.name}
                    leftSection={<IconCopy size={16} aria-hidden />}
                    refusal={copyRefusal(target.name)}
                    onClick={() =>
                      change((before) =>
                        copyStrategies(
                          before,
                          target.name,
                          left.map(({ content }) => content),
                        ),
                      )
                    }
                  >
                    {target.name}
                  </GuardedItem>
                ))}
            </MenuButton>
          </Group>
        </Group>
      </div>
      <Stack gap={8} p="md">
        {shown.length === 0 && (
          <Text size="sm" className="quiet">
            {environment.enabled
              ? 'No strategies: enabled for everyone'
              : feature.archived
                ? 'No strategies'
                : "No strategies yet. Enabling this feature adds the project's default strategy."}
          </Text>
        )}
        {(isLong ? shown : shown.slice(0, shownAtFirst)).map((strategy, place) => (
          <div key={strategy.key}>
            {place > 0 && <div className={classes.or}>or</div>}
            <StrategyCard
              shown={strategy}
              environment={name}
              place={place}
              count={shown.length}
              names={catalogue.names}
              marks={marksOf(strategy)}
              otherEnvironments={others.map((each) => each.name)}
              copyRefusal={copyRefusal}
              actions={actionsOf(strategy, place)}
              refusal={updateRefusal}
              problems={
                strategy.state === 'same' || strategy.state === 'removed'
                  ? 0
                  : strategyProblems(strategy.content, catalogue, strategy.saved).length
              }
            />
          </div>
        ))}
        {shown.length > shownAtFirst && !isLong && (
          <Button variant="default" size="xs" onClick={() => setLong(true)}>
            Show {plural(shown.length - shownAtFirst, 'more strategy', 'more strategies')}
          </Button>
        )}
        <Group gap={4}>
          <AddStrategy
            environment={name}
            isFull={left.length >= maxStrategies}
            refusal={createRefusal}
            add={add}
          />
          {shown.length === 0 &&
            createRefusal === undefined &&
            others
              .filter((each) => each.strategies.length > 0)
              .slice(0, 2)
              .map((each) => (
                <Button
                  key={each.name}
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  className="flush"
                  onClick={() =>
                    change((before) => copyStrategies(before, name, afterSaving(each).strategies))
                  }
                >
                  Copy from {each.name}
                </Button>
              ))}
        </Group>
        {variants.length > 0 && (
          <div className={classes.variants}>
            <Group justify="space-between" mb={6}>
              <Text size="sm" fw={600}>
                Environment variants
              </Text>
              <Button
                size="compact-xs"
                variant="subtle"
                aria-label={`${variantsVerb} variants in ${name}`}
                onClick={() =>
                  void navigate({ search: (before) => ({ ...before, variants: name }) })
                }
              >
                {variantsVerb}
              </Button>
            </Group>
            <VariantBar variants={variants} />
          </div>
        )}
      </Stack>
    </section>
  );
}
