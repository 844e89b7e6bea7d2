package io.github.zklock.faults.client;

import java.time.Duration;

/**
 * Where a client finds its locks.
 *
 * @param instance its name
 */
record ClientConfig(String connectString, String basePath, Duration sessionTimeout, String instance) {}
