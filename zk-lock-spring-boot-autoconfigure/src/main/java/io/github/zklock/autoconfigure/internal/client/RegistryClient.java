package io.github.zklock.autoconfigure.internal.client;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.jspecify.annotations.Nullable;

/**
 * The client of the auto-configured registry. A bean of this type is defined if and only if that registry is.
 *
 * @param acls access lists of the nodes; null if nodes get the list of the base path
 */
public record RegistryClient(
        CuratorFramework framework, @Nullable ACLProvider acls) {}
