import { Group, Radio, type RadioGroupProps, Stack, Text } from '@mantine/core';
import classes from './choice.module.css';

interface ChoiceOption {
  readonly value: string;
  readonly label: string;
  readonly meaning: string;
  readonly disabled?: boolean;
}

interface Props extends Omit<RadioGroupProps, 'children'> {
  readonly options: readonly ChoiceOption[];
}

/** One of a few options, each explained in a sentence. */
export const Choice = ({ options, ...props }: Props) => (
  <Radio.Group {...props}>
    <Stack gap={8} mt={6}>
      {options.map(({ value, label, meaning, disabled = false }) => (
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
