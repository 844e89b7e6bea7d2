package io.github.zklock.faults.client;

import java.time.Duration;

/**
 * The configuration of a client process.
 *
 * @param instance its name
 */
record ClientConfig(String connectString, String basePath, Duration sessionTimeout, String instance) {}
