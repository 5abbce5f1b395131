/* Algorithms 1 and 2 at c = 1 in plain C, the benchmark's peer:
 *     gcc -O3 -march=native -ffast-math -o peer benches/peer.c -lm && ./peer ALGORITHM ACTIONS DIM ROWS ALIGNMENT STATES
 * prints nanoseconds per sample, and the sum of theta_sum, which shows that the work was the same one. Same data and
 * parameters as benches/common/problem.rs; the compiler may reorder every sum. The features start at a multiple of ALIGNMENT bytes,
 * or where malloc puts them if it is 0. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { INNER = 100 };
static const double GAMMA = 0.9, ALPHA = 0.01, ETA = 0.01, ZETA = 0.05, RADIUS_THETA = 10.0, RADIUS_BETA = 5.0, XI = 0.05;

typedef struct { size_t x0, x, a; double r; size_t x_next; double u; } sample;

static uint64_t seed = 1;
static double unit(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static void policy(size_t actions, size_t d, const double *restrict phi, const double *restrict sum, double *restrict p) {
    double top = -INFINITY, total = 0;
    for (size_t a = 0; a < actions; a++) {
        double z = 0;
        for (size_t j = 0; j < d; j++) z += phi[a * d + j] * sum[j];
        p[a] = ALPHA * z;
        top = p[a] > top ? p[a] : top;
    }
    for (size_t a = 0; a < actions; a++) { p[a] = exp(p[a] - top); total += p[a]; }
    for (size_t a = 0; a < actions; a++) p[a] /= total;
}

static double dot(size_t d, const double *restrict a, const double *restrict b) {
    double s = 0;
    for (size_t j = 0; j < d; j++) s += a[j] * b[j];
    return s;
}

static void project(size_t d, double *y, double radius) {
    double n = sqrt(dot(d, y, y));
    if (n > radius) for (size_t j = 0; j < d; j++) y[j] *= radius / n;
}

static double run(size_t actions, size_t d, size_t n, const double *features, const sample *data) {
    double *theta = calloc(5 * d + 2 * actions, sizeof *theta), *beta = theta + d, *sum = beta + d, *mean = sum + d, *g = mean + d;
    double *p0 = g + d, *p1 = p0 + actions;
    for (size_t t = 0; t < n / INNER; t++) {
        memset(mean, 0, d * sizeof *mean);
        for (size_t k = 0; k < INNER - 1; k++) {
            const sample *s = data++;
            const double *start = features + s->x0 * actions * d, *next = features + s->x_next * actions * d;
            const double *phi = features + (s->x * actions + s->a) * d;
            double w = dot(d, phi, beta);
            policy(actions, d, start, sum, p0);
            policy(actions, d, next, sum, p1);
            for (size_t j = 0; j < d; j++) g[j] = -w * phi[j];
            for (size_t a = 0; a < actions; a++) {
                double m0 = (1 - GAMMA) * p0[a], m1 = GAMMA * w * p1[a];
                for (size_t j = 0; j < d; j++) g[j] += m0 * start[a * d + j] + m1 * next[a * d + j];
            }
            for (size_t j = 0; j < d; j++) { mean[j] += theta[j]; theta[j] -= ETA * g[j]; }
            project(d, theta, RADIUS_THETA);
        }
        for (size_t j = 0; j < d; j++) theta[j] = (mean[j] + theta[j]) / INNER;
        const sample *s = data++;
        const double *next = features + s->x_next * actions * d, *phi = features + (s->x * actions + s->a) * d;
        policy(actions, d, next, sum, p1);
        double v = 0;
        for (size_t a = 0; a < actions; a++) v += p1[a] * dot(d, next + a * d, theta);
        double delta = s->r + GAMMA * v - dot(d, phi, theta);
        for (size_t j = 0; j < d; j++) { beta[j] += ZETA * delta * phi[j]; sum[j] += theta[j]; }
        project(d, beta, RADIUS_BETA);
    }
    double check = 0;
    for (size_t j = 0; j < d; j++) check += sum[j];
    free(theta);
    return check;
}

/* Algorithm 2: INNER - 1 samples for theta and rho, the last for beta. */
static double run_average(size_t actions, size_t d, size_t n, const double *features, const sample *data) {
    double *theta = calloc(4 * d + actions, sizeof *theta), *beta = theta + d, *sum = beta + d, *mean = sum + d, *p = mean + d;
    double rho = 0;
    for (size_t t = 0; t < n / INNER; t++) {
        double mean_rho = 0;
        memset(mean, 0, d * sizeof *mean);
        for (size_t i = 0; i < INNER - 1; i++) {
            const sample *s = data++;
            const double *next = features + s->x_next * actions * d, *phi = features + (s->x * actions + s->a) * d;
            double w = dot(d, phi, beta), cumulative = 0;
            policy(actions, d, next, sum, p);
            size_t a = 0;
            while ((cumulative += p[a]) <= s->u && a + 1 < actions) a++;
            const double *drawn = next + a * d;
            for (size_t j = 0; j < d; j++) { mean[j] += theta[j]; theta[j] -= ETA * (w * drawn[j] - w * phi[j]); }
            project(d, theta, RADIUS_THETA);
            mean_rho += rho;
            rho -= XI * (1 - w);
            rho = rho < 0 ? 0 : rho > 1 ? 1 : rho;
        }
        for (size_t j = 0; j < d; j++) theta[j] = mean[j] / (INNER - 1);
        rho = mean_rho / (INNER - 1);
        const sample *s = data++;
        const double *next = features + s->x_next * actions * d, *phi = features + (s->x * actions + s->a) * d;
        policy(actions, d, next, sum, p);
        double v = 0;
        for (size_t a = 0; a < actions; a++) v += p[a] * dot(d, next + a * d, theta);
        double delta = s->r + v - dot(d, phi, theta) - rho;
        for (size_t j = 0; j < d; j++) { beta[j] += ZETA * delta * phi[j]; sum[j] += theta[j]; }
        project(d, beta, RADIUS_BETA);
    }
    double check = 0;
    for (size_t j = 0; j < d; j++) check += sum[j];
    free(theta);
    return check;
}

int main(int argc, char **argv) {
    if (argc != 7) return fprintf(stderr, "usage: peer ALGORITHM ACTIONS DIM ROWS ALIGNMENT STATES\n"), 2;
    int average = argv[1][0] == '2';
    size_t actions = strtoul(argv[2], 0, 10), d = strtoul(argv[3], 0, 10), n = strtoul(argv[4], 0, 10);
    size_t alignment = strtoul(argv[5], 0, 10), states = strtoul(argv[6], 0, 10), bytes = states * actions * d * sizeof(double);
    double *features = alignment ? aligned_alloc(alignment, bytes) : malloc(bytes);
    sample *data = malloc(n * sizeof *data);
    for (size_t i = 0; i < states * actions * d; i++) features[i] = (2 * unit() - 1) / sqrt((double)d);
    for (size_t i = 0; i < n; i++) {
        sample *s = data + i;
        s->x0 = unit() * states; s->x = unit() * states; s->a = unit() * actions; s->r = unit(); s->x_next = unit() * states;
        s->u = unit();
    }
    double best = INFINITY, check = 0;
    for (int i = 0; i < 100; i++) {
        struct timespec a, b;
        clock_gettime(CLOCK_MONOTONIC, &a);
        check = (average ? run_average : run)(actions, d, n, features, data);
        clock_gettime(CLOCK_MONOTONIC, &b);
        double ns = ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / (double)(n - n % INNER);
        best = ns < best ? ns : best;
    }
    printf("%.3f %.17g\n", best, check);
    free(features);
    free(data);
    return 0;
}
