#include "../host.h"

enum { W = 32, H = 24 };
static float spheres[5][4], spin[4], out[H][W], turned[H][W][4];

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The light of a pixel; *edge: how near the decisions were to going the other way. */
static double trace(double x, double y, double *edge)
{
    static const double sun[3] = { 0.6, -0.64, -0.48 };
    double at[3] = { 0 }, way[3] = { (x - 15.5) / 20, (y - 11.5) / 20, 1 }, light = 0, weight = 1, length = sqrt(dot(way, way));
    for (int c = 0; c < 3; c++)
        way[c] /= length;
    for (int bounce = 0; bounce < 3; bounce++) {
        double near = 1e30, normal[3];
        int hit = -1;
        for (int k = 0; k < 5; k++) {
            double to[3], r = (double)spheres[k][3];
            for (int c = 0; c < 3; c++)
                to[c] = (double)spheres[k][c] - at[c];
            double along = dot(to, way), square = along * along - dot(to, to) + r * r;
            *edge = fabs(square) < *edge && along > 0 ? fabs(square) : *edge;
            if (square > 0 && along - sqrt(square) > 1e-2 && along - sqrt(square) < near)
                near = along - sqrt(square), hit = k;
        }
        if (hit < 0)
            return light + weight * (way[1] * 0.5 + 0.5);
        for (int c = 0; c < 3; c++) {
            at[c] += way[c] * near;
            normal[c] = (at[c] - (double)spheres[hit][c]) / (double)spheres[hit][3];
        }
        light += weight * 0.3 * fmax(dot(normal, sun), 0);
        double turn = 2 * dot(way, normal);
        for (int c = 0; c < 3; c++)
            way[c] -= turn * normal[c];
        weight *= 0.5;
    }
    return light;
}

int main(void)
{
    double length = 0;
    for (int k = 0; k < 5; k++) {
        for (int c = 0; c < 2; c++)
            spheres[k][c] = (float)(int)(random_u32() % 9) - 4;
        spheres[k][2] = 10 + 2 * (float)k;
        spheres[k][3] = 2 + (float)k / 4;
    }
    for (int c = 0; c < 4; c++) {
        spin[c] = (float)random_range(-1, 1);
        length += (double)spin[c] * (double)spin[c];
    }
    for (int c = 0; c < 4; c++)
        spin[c] = (float)((double)spin[c] / sqrt(length));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            double edge = 1, q[4] = { (double)spin[0], (double)spin[1], (double)spin[2], (double)spin[3] };
            double p[3] = { x, y, x ^ y }, m[3][3], size = sqrt(dot(p, p)), apart = q[3] * q[3];
            out[y][x] = (float)trace(x, y, &edge);
            if (edge < 1e-3)
                fprintf(stderr, "pixel %d %d is near an edge (%g)\n", x, y, edge);
            /* The quaternion as a matrix, not normalized. */
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++) {
                    int o = 3 - r - c;
                    double s = (c - r + 3) % 3 == 1 ? -1 : 1;
                    m[r][c] = r == c ? q[3] * q[3] + 2 * q[r] * q[r] - dot(q, q) : 2 * (q[r] * q[c] + s * q[o % 3] * q[3]);
                }
            for (int r = 0; r < 3; r++) {
                turned[y][x][r] = (float)dot(m[r], p);
                apart += (p[r] - q[r]) * (p[r] - q[r]);
            }
            turned[y][x][3] = (float)(size + sqrt(apart));
        }
    WRITE("spheres.bin", spheres);
    WRITE("spin.bin", spin);
    WRITE("out.bin", out);
    WRITE("turned.bin", turned);
}
