package io.github.zklock.autoconfigure.actuate;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;

/** Whether the endpoint {@code zklocks} may do more than read, also where it is not exposed. */
final class EndpointAccess implements ReleaseAccess {

    private final EndpointAccessResolver resolver;

    EndpointAccess(EndpointAccessResolver resolver) {
        this.resolver = resolver;
    }

    @Override
    public boolean isUnrestricted() {
        return resolver.accessFor(EndpointId.of(LocksEndpoint.ID), Access.READ_ONLY) == Access.UNRESTRICTED;
    }
}
