package io.github.zklock.test;

import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import java.time.Duration;
import java.util.function.Function;

/**
 * What one process of a cluster is like.
 *
 * @param instance names it in the queues
 * @param sessionTimeout how long the cluster keeps its locks without a connection
 * @param connectionTimeout how long those who only ask wait for a connection
 * @param policies code of users, asked on their threads
 */
record Settings(
        String instance,
        Duration sessionTimeout,
        Duration connectionTimeout,
        Function<? super LockName, LockPolicy> policies) {}
