package com.example.ordershop;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Keeps out pages of other sites that are open in the same browser: it would carry their requests to this machine, to start
 * a demonstration for example, or to take a lock away. Commands by hand name no origin, and are let in.
 */
@Component
final class OwnPagesOnly extends OncePerRequestFilter {

    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]", "::1");
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    private static final String REFUSAL = """
            {"title":"Not from here","status":403,"detail":"%s"}""";

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain rest)
            throws ServletException, IOException {
        if (!THIS_MACHINE.contains(request.getServerName().toLowerCase(Locale.ROOT))) {
            // else a site could have its own name lead to this machine, and read and write here as if it were the shop
            refuse(response, "The shop answers as localhost or 127.0.0.1 only: ask for http://localhost");
        } else if (!READING.contains(request.getMethod()) && isOfAnotherSite(request)) {
            refuse(response, "A page of another site has asked for this: use the shop's own page");
        } else {
            rest.doFilter(request, response);
        }
    }

    private static boolean isOfAnotherSite(HttpServletRequest request) {
        @Nullable String site = request.getHeader("Sec-Fetch-Site");
        if (site != null) {
            return !site.equals("same-origin") && !site.equals("none");
        }
        @Nullable String origin = request.getHeader(HttpHeaders.ORIGIN);
        return origin != null && !origin.equals(request.getScheme() + "://" + request.getHeader(HttpHeaders.HOST));
    }

    private static void refuse(HttpServletResponse response, String detail) throws IOException {
        response.setStatus(HttpServletResponse.SC_FORBIDDEN);
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.getWriter().write(REFUSAL.formatted(detail));
    }
}
