package io.github.zklock.faults.stage;

import java.util.List;
import java.util.Map;

/**
 * What a client process is given besides its place.
 *
 * @param register the port of the register in which it counts
 * @param options of its JVM
 * @param environment variables of its process
 */
record Equipment(int register, List<String> options, Map<String, String> environment) {}
