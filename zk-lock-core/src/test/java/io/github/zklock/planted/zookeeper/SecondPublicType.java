package io.github.zklock.planted.zookeeper;

import io.github.zklock.planted.Breaches;

public record SecondPublicType(Breaches breaches) {}
