package io.github.zklock.console;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.server.WebFilter;

/** Adds the {@link PageHeaders} in the context of the endpoints, which may have a port of its own. */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnAvailableEndpoint(LockConsoleEndpoint.class)
class PageHeadersConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(Filter.class)
    static class OnServlets {

        @Bean
        Filter zkLockConsoleHeaders(ObjectProvider<PathMappedEndpoints> endpoints) {
            PageHeaders headers = new PageHeaders(endpoints);
            return (request, response, chain) -> {
                if (request instanceof HttpServletRequest http
                        && response instanceof HttpServletResponse answer
                        && headers.belongTo(pathOf(http))) {
                    PageHeaders.VALUES.forEach(answer::setHeader);
                }
                chain.doFilter(request, response);
            };
        }

        private static PathContainer pathOf(HttpServletRequest request) {
            try {
                return RequestPath.parse(request.getRequestURI(), request.getContextPath())
                        .pathWithinApplication();
            } catch (IllegalArgumentException unreadable) {
                // the dispatcher rejects the request
                return PathContainer.parsePath("");
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnClass(WebFilter.class)
    static class OnWebFlux {

        @Bean
        WebFilter zkLockConsoleHeaders(ObjectProvider<PathMappedEndpoints> endpoints) {
            PageHeaders headers = new PageHeaders(endpoints);
            return (exchange, chain) -> {
                if (headers.belongTo(exchange.getRequest().getPath().pathWithinApplication())) {
                    exchange.getResponse().getHeaders().setAll(PageHeaders.VALUES);
                }
                return chain.filter(exchange);
            };
        }
    }
}
