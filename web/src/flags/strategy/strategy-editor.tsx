import {
  Button,
  Divider,
  Group,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import type { ReactNode } from 'react';
import type { Catalogue } from '../feature/view.ts';
import classes from '../flags.module.css';
import { ConstraintsEditor } from './constraint-editor.tsx';
import { ParametersEditor } from './parameters-editor.tsx';
import { SegmentsEditor } from './segments-editor.tsx';
import { Sentence } from './sentence.tsx';
import { type Problem, strategyProblems } from './strategy-check.ts';
import { detailPieces, headlinePieces, type StrategyContent } from './strategy-sentence.ts';
import { VariantsEditor } from './variants-editor.tsx';

interface SectionProps {
  readonly title: string;
  readonly help?: string;
  readonly children: ReactNode;
}

const Section = ({ title, help, children }: SectionProps) => (
  <section aria-label={title}>
    <Title order={3} size="h6" mb={help ? 0 : 6}>
      {title}
    </Title>
    {help && (
      <Text size="xs" className="quiet" mb={6}>
        {help}
      </Text>
    )}
    {children}
  </section>
);

/** The choices of stickiness. */
export const stickinessChoices = ({ fields }: Pick<Catalogue, 'fields'>): string[] => [
  'default',
  ...new Set(
    ['userId', 'sessionId', 'random'].concat(
      [...fields.values()].filter(({ stickiness }) => stickiness).map(({ name }) => name),
    ),
  ),
];

interface Props {
  readonly project: string;
  readonly content: StrategyContent;
  readonly saved: StrategyContent | undefined;
  readonly catalogue: Catalogue;
  readonly disabled: boolean;
  /** Whether the strategy can be disabled. A feature always gets the default strategy enabled. */
  readonly hasState?: boolean;
  readonly onChange: (content: StrategyContent) => void;
}

/** The fields of a strategy. What is typed is in the draft at once. */
export function StrategyEditor(props: Props) {
  const { project, content, saved, catalogue, disabled, hasState = true, onChange } = props;
  const problems: readonly Problem[] = strategyProblems(content, catalogue, saved);
  const set = (part: Partial<StrategyContent>) => onChange({ ...content, ...part });
  const choices = stickinessChoices(catalogue);
  const types = [...catalogue.types.values()].filter(
    ({ name, deprecated }) => !deprecated || name === content.name,
  );
  return (
    <Stack gap="lg">
      <Group align="flex-start" grow>
        <Select
          label="Strategy type"
          allowDeselect={false}
          disabled={disabled}
          data={
            catalogue.types.has(content.name)
              ? types.map(({ name, displayName }) => ({ value: name, label: displayName }))
              : [content.name]
          }
          value={content.name}
          onChange={(name) => {
            if (!name || name === content.name) return;
            const kept = Object.fromEntries(
              Object.entries(content.parameters).filter(([key]) =>
                catalogue.types.get(name)?.parameters.some((parameter) => parameter.name === key),
              ),
            );
            const first =
              name === 'flexibleRollout' ? { rollout: '100', stickiness: 'default' } : {};
            set({ name, parameters: { ...first, ...kept } });
          }}
        />
        <TextInput
          label="Title (optional)"
          placeholder="e.g. Beta users in Norway"
          maxLength={10_000}
          disabled={disabled}
          value={content.title ?? ''}
          onChange={({ currentTarget }) => set({ title: currentTarget.value })}
        />
      </Group>
      <ParametersEditor
        content={content}
        type={catalogue.types.get(content.name)}
        problems={problems}
        stickinessChoices={choices}
        disabled={disabled}
        onChange={(parameters) => set({ parameters })}
      />
      <Divider />
      <Section title="Segments" help="Users must match every segment">
        <SegmentsEditor
          project={project}
          chosen={content.segments}
          segments={catalogue.segments}
          disabled={disabled}
          onChange={(segments) => set({ segments })}
        />
      </Section>
      <Section title="Constraints" help="All must match">
        <ConstraintsEditor
          constraints={content.constraints}
          saved={saved?.constraints ?? []}
          fields={catalogue.fields}
          disabled={disabled}
          onChange={(constraints) => set({ constraints })}
        />
      </Section>
      <Section title="Variants" help="Split users between variants">
        <VariantsEditor
          variants={content.variants}
          fields={catalogue.fields}
          problems={problems}
          stickinessChoices={choices}
          disabled={disabled}
          make={(name, stickiness) => ({ name, stickiness, weight: 0, weightType: 'variable' })}
          onChange={(variants) => set({ variants })}
        />
      </Section>
      {hasState && (
        <>
          <Divider />
          <Switch
            label="Enabled"
            description="SDKs only receive enabled strategies"
            disabled={disabled}
            checked={!content.disabled}
            onChange={({ currentTarget }) => set({ disabled: !currentTarget.checked })}
          />
        </>
      )}
    </Stack>
  );
}

/** The strategy as it reads now, beside its fields. */
export const StrategyPreview = ({ content, catalogue }: Pick<Props, 'content' | 'catalogue'>) => (
  <Stack gap={4}>
    {content.title && (
      <Text fw={600} className={classes.title} dir="auto">
        {content.title}
      </Text>
    )}
    <Text fw={content.title ? 400 : 600} component="div">
      <Sentence pieces={headlinePieces(content, catalogue.names)} />
    </Text>
    {detailPieces(content, catalogue.names).map((pieces, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a constraint has no identity but its position
      <Text size="sm" component="div" key={place}>
        <Sentence pieces={pieces} />
      </Text>
    ))}
  </Stack>
);

interface DoneProps {
  readonly onDone: () => void;
  readonly onReset: () => void;
  readonly onRemove: () => void;
  readonly state: 'same' | 'changed' | 'added' | 'removed';
  readonly disabled: boolean;
}

/** Below the fields: done, discard the changes, or remove the strategy. */
export const EditorActions = ({ onDone, onReset, onRemove, state, disabled }: DoneProps) => (
  <Group justify="space-between">
    <Group gap="xs">
      <Button
        variant="subtle"
        color="red"
        size="xs"
        disabled={disabled}
        onClick={state === 'added' ? onReset : onRemove}
      >
        Remove strategy
      </Button>
      {state === 'changed' && (
        <Button variant="subtle" color="gray" size="xs" onClick={onReset}>
          Discard changes
        </Button>
      )}
    </Group>
    <Button size="sm" onClick={onDone} data-autofocus={disabled || undefined}>
      Done
    </Button>
  </Group>
);
