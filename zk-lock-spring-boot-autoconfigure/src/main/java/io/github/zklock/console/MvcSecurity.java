package io.github.zklock.console;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;

/** What Spring Security has to do with a request of Spring MVC. */
interface MvcSecurity {

    /** Where there is no Spring Security. */
    MvcSecurity NONE = new MvcSecurity() {
        @Override
        public boolean guards(HttpServletRequest request) {
            return false;
        }

        @Override
        public Optional<Csrf> csrf(HttpServletRequest request) {
            return Optional.empty();
        }
    };

    /** Whether filters of Spring Security's stand before this request. */
    boolean guards(HttpServletRequest request);

    /** The token of a request that changes something, made if need be. */
    Optional<Csrf> csrf(HttpServletRequest request);

    /** The filter chains of an application. */
    final class Chains implements MvcSecurity {

        private final Supplier<List<FilterChainProxy>> proxies;

        Chains(Supplier<List<FilterChainProxy>> proxies) {
            this.proxies = proxies;
        }

        /** The first chain that matches is the one that is applied; one without filters is a path that is left out. */
        @Override
        public boolean guards(HttpServletRequest request) {
            List<FilterChainProxy> found = proxies.get();
            return !found.isEmpty() && found.stream().allMatch(proxy -> guards(proxy, request));
        }

        @Override
        public Optional<Csrf> csrf(HttpServletRequest request) {
            return request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token
                    ? Optional.of(new Csrf(token.getHeaderName(), token.getToken()))
                    : Optional.empty();
        }

        private static boolean guards(FilterChainProxy proxy, HttpServletRequest request) {
            for (SecurityFilterChain chain : proxy.getFilterChains()) {
                if (chain.matches(request)) {
                    return !chain.getFilters().isEmpty();
                }
            }
            return false;
        }
    }
}
