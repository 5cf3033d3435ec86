import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '../projects.module.css';

interface Props {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

/** The title of a settings page with a description and its main action. */
export const SettingsHead = ({ title, children, action }: Props) => (
  <div className={classes.settingsHead}>
    <div>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text size="sm" className="quiet">
        {children}
      </Text>
    </div>
    {action}
  </div>
);
