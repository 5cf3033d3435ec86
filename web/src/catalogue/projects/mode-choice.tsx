import { Group, Radio, Stack, Text } from '@mantine/core';
import type { ListedProject } from './list-search.ts';
import classes from './projects.module.css';
import { modes } from './words.ts';

type Mode = ListedProject['mode'];

interface Props {
  readonly mode: Mode;
  readonly onChange: (mode: Mode) => void;
  readonly disabled?: boolean;
}

/** Who sees a project and whose roles count in it, each explained in a sentence. */
export const ModeChoice = ({ mode, onChange, disabled = false }: Props) => (
  <Radio.Group
    label="Who may see and change it"
    value={mode}
    onChange={(value) => onChange(value as Mode)}
  >
    <Stack gap={8} mt={6}>
      {modes.map(({ value, label, meaning }) => (
        <Radio.Card
          key={value}
          value={value}
          disabled={disabled}
          className={classes.choice}
          aria-label={`${label}. ${meaning}`}
        >
          <Group wrap="nowrap" align="start" gap="sm">
            <Radio.Indicator disabled={disabled} />
            <div>
              <Text size="sm" fw={600}>
                {label}
              </Text>
              <Text size="sm" className="quiet">
                {meaning}
              </Text>
            </div>
          </Group>
        </Radio.Card>
      ))}
    </Stack>
  </Radio.Group>
);
