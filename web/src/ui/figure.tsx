import { Text } from '@mantine/core';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly note: string;
}

/** One number, with what it counts and what it is compared with. */
export const Figure = ({ label, value, note }: Props) => (
  <div className="card figure">
    <Text size="xs" className="quiet">
      {label}
    </Text>
    <Text size="xl" fw={650} className="tabular">
      {value}
    </Text>
    <Text size="xs" className="quiet tabular">
      {note}
    </Text>
  </div>
);
