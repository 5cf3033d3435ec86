import '@mantine/core/styles/Slider.layer.css';
import {
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Slider,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { percent } from '../../ui/format.ts';
import { stickinessHelp } from './stickiness.ts';
import type { Problem, StrategyType } from './strategy-check.ts';
import { itemsOf, rolloutOf, type StrategyContent } from './strategy-sentence.ts';

interface ShareProps {
  readonly label: string;
  readonly share: number;
  readonly disabled: boolean;
  readonly onChange: (share: string) => void;
  readonly error?: string | undefined;
}

const marks = [0, 25, 50, 75, 100].map((value) => ({ value, label: percent(value) }));

/** A percentage by a slider, by its keys, or as a number. */
const Share = ({ label, share, disabled, onChange, error }: ShareProps) => (
  <Group wrap="nowrap" gap="lg" align="flex-start">
    <Slider
      flex={1}
      mt={10}
      mb="lg"
      min={0}
      max={100}
      marks={marks}
      value={share}
      disabled={disabled}
      label={(value) => percent(value)}
      thumbLabel={label}
      onChange={(value) => onChange(String(value))}
    />
    <NumberInput
      aria-label={`${label} in percent`}
      w={96}
      suffix="%"
      min={0}
      max={100}
      clampBehavior="strict"
      allowDecimal={false}
      allowNegative={false}
      value={share}
      disabled={disabled}
      error={error}
      onChange={(value) => onChange(String(value === '' ? 0 : value))}
    />
  </Group>
);

interface Props {
  readonly content: StrategyContent;
  readonly type: StrategyType | undefined;
  readonly problems: readonly Problem[];
  readonly stickinessChoices: readonly string[];
  readonly disabled: boolean;
  readonly onChange: (parameters: StrategyContent['parameters']) => void;
}

function RolloutEditor({ content, problems, stickinessChoices, disabled, onChange }: Props) {
  const { parameters } = content;
  const set = (parameter: string) => (value: string) =>
    onChange({ ...parameters, [parameter]: value });
  const stickiness = parameters.stickiness ?? 'default';
  return (
    <Stack gap="sm">
      <div>
        <Text size="sm" fw={500}>
          Rollout
        </Text>
        <Share
          label="Rollout"
          share={rolloutOf(content)}
          disabled={disabled}
          onChange={set('rollout')}
          error={problems.find(({ path }) => path === 'parameters/rollout')?.message}
        />
      </div>
      <Group grow align="flex-start">
        <Select
          label="Stickiness"
          description="Users with the same value always get the same result"
          allowDeselect={false}
          disabled={disabled}
          data={[...new Set([...stickinessChoices, stickiness])]}
          value={stickiness}
          renderOption={({ option }) => (
            <div>
              {option.value}
              {stickinessHelp[option.value] && (
                <Text size="xs" className="quiet">
                  {stickinessHelp[option.value]}
                </Text>
              )}
            </div>
          )}
          onChange={(value) => set('stickiness')(value ?? 'default')}
        />
        <TextInput
          label="Group ID"
          description="Features with the same group ID reach the same users"
          value={parameters.groupId ?? ''}
          disabled={disabled}
          onChange={({ currentTarget }) => set('groupId')(currentTarget.value)}
        />
      </Group>
    </Stack>
  );
}

/** One field for each parameter of a strategy type. */
export function ParametersEditor(props: Props) {
  const { content, type, problems, disabled, onChange } = props;
  const { parameters } = content;
  if (content.name === 'flexibleRollout') return <RolloutEditor {...props} />;
  if (!type || type.parameters.length === 0) {
    return (
      <Text size="sm" className="quiet">
        {type
          ? (type.description ?? 'No parameters')
          : `Strategy type ${content.name} no longer exists. SDKs that implement it still evaluate it.`}
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      {type.description && (
        <Text size="sm" className="quiet">
          {type.description}
        </Text>
      )}
      {type.parameters.map(({ name, type: kind, description, required }) => {
        const value = parameters[name] ?? '';
        const set = (next: string) => onChange({ ...parameters, [name]: next });
        const error = problems.find(({ path }) => path === `parameters/${name}`)?.message;
        const common = { label: name, description, required, disabled, error };
        if (kind === 'percentage') {
          return (
            <div key={name}>
              <Text size="sm" fw={500}>
                {name}
              </Text>
              <Text size="xs" className="quiet">
                {description}
              </Text>
              <Share
                label={name}
                share={Number(value) || 0}
                disabled={disabled}
                onChange={set}
                error={error}
              />
            </div>
          );
        }
        if (kind === 'list') {
          return (
            <TagsInput
              key={name}
              {...common}
              clearable
              acceptValueOnBlur
              splitChars={[',', ';', '\n']}
              value={itemsOf(value)}
              onChange={(items) => set(items.join(','))}
            />
          );
        }
        if (kind === 'boolean') {
          return (
            <div key={name}>
              <Text size="sm" fw={500} id={`parameter ${name}`}>
                {name}
                {required && ' *'}
              </Text>
              <Text size="xs" className="quiet" mb={4}>
                {description}
              </Text>
              <SegmentedControl
                aria-labelledby={`parameter ${name}`}
                size="xs"
                disabled={disabled}
                data={[
                  { value: '', label: 'Not set' },
                  { value: 'true', label: 'True' },
                  { value: 'false', label: 'False' },
                ]}
                value={value}
                onChange={set}
              />
            </div>
          );
        }
        return (
          <TextInput
            key={name}
            {...common}
            inputMode={kind === 'number' ? 'decimal' : 'text'}
            value={value}
            onChange={({ currentTarget }) => set(currentTarget.value)}
          />
        );
      })}
    </Stack>
  );
}
