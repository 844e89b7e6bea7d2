package io.github.zklock.planted.zookeeper.internal.queue;

import io.github.zklock.planted.zookeeper.SecondPublicType;

/** A value that knows what uses it. */
public record ImportsTheEngine(SecondPublicType engine) {}
