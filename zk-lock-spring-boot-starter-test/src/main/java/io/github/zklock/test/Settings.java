package io.github.zklock.test;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one process of a cluster is like.
 *
 * @param instance names it in the queues
 * @param sessionTimeout how long the cluster keeps its locks without a connection
 * @param connectionTimeout how long those who only ask wait for a connection
 * @param maxHold null for no limit
 * @param holdWarning after how long a holder is warned of
 */
record Settings(
        String instance,
        Duration sessionTimeout,
        Duration connectionTimeout,
        @Nullable Duration maxHold,
        Duration holdWarning) {}
