// Autoscooter for eight players with default options, played at random: the same rules as
// crashlab/games/autoscooter/rules.py, written by hand for nothing but speed. `native_limit.py` builds it and
// compares. It knows a car by its cell, keeps a list of unused numbers, and sorts the cars once a round.
//
//     ./autoscooter GAMES      prints: car moves, seconds, crashes, chits that the players have at the end

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

constexpr int CARS = 8, ROUNDS = 11, CELLS = 38, ROWS = 7;
constexpr int LENGTH[ROWS] = {5, 6, 5, 6, 5, 6, 5};
constexpr int START[CARS][3] = {{0, 1, 5}, {0, 3, 4}, {2, 4, 3}, {4, 4, 3}, {6, 3, 2}, {6, 1, 1}, {4, 0, 0}, {2, 0, 0}};

int number_of[ROWS][6];  // of a cell
int ahead[CELLS][6];     // the next cell, or -1 for the barrier

struct Manoeuvre {
    int speed, turn[3];  // in sixths to the left, after each hex
};
Manoeuvre manoeuvres[16];
int first_of[5];  // the first manoeuvre of each speed

int cell[CARS], facing[CARS], speed[CARS], car_on[CELLS];
long chits[CARS], crashes;

uint64_t luck = 88172645463325252ull;

inline uint32_t below(uint32_t count) {
    luck ^= luck << 13;
    luck ^= luck >> 7;
    luck ^= luck << 17;
    return static_cast<uint32_t>(((luck >> 32) * static_cast<uint64_t>(count)) >> 32);
}

inline int sixth(int turned) { return (turned % 6 + 6) % 6; }

void lay_out_board() {
    int next = 0;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < LENGTH[row]; column++) number_of[row][column] = next++;
    const int down[6] = {0, -1, -1, 0, 1, 1}, across[6] = {2, 1, -1, -2, -1, 1};  // in half hexes
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < LENGTH[row]; column++)
            for (int way = 0; way < 6; way++) {
                int to = row + down[way], half = 2 * column + (row % 2 == 0) + across[way], found = -1;
                if (to >= 0 && to < ROWS) {
                    half -= to % 2 == 0;
                    if (half >= 0 && half % 2 == 0 && half / 2 < LENGTH[to]) found = number_of[to][half / 2];
                }
                ahead[number_of[row][column]][way] = found;
            }
}

void list_manoeuvres() {
    int next = 0;
    manoeuvres[next++] = {0, {0, 0, 0}};  // about-face
    first_of[1] = next;
    for (int turn = -2; turn <= 2; turn++) manoeuvres[next++] = {1, {turn, 0, 0}};
    first_of[2] = next;
    for (int one = -1; one <= 1; one++)
        for (int two = -1; two <= 1; two++) manoeuvres[next++] = {2, {one, two, 0}};
    first_of[3] = next;
    manoeuvres[next++] = {3, {0, 0, 0}};
    first_of[4] = next;
}

inline long paid(int payer, int amount) {
    long most = amount < chits[payer] ? amount : chits[payer];
    chits[payer] -= most;
    return most;
}

inline void pay(int payer, int payee, int amount) { chits[payee] += paid(payer, amount); }

// True when the car may go on.
inline bool step(int car, int v) {
    int way = facing[car], target = ahead[cell[car]][way];
    if (target < 0) {
        crashes++;
        paid(car, v);
        speed[car] = 0;
        return false;
    }
    int hit = car_on[target];
    if (hit < 0) {
        car_on[cell[car]] = -1;
        cell[car] = target;
        car_on[target] = car;
        return true;
    }
    crashes++;
    int w = speed[hit], side = sixth(way + 3 - facing[hit]);
    if (w == 0) {
        pay(hit, car, v);
        speed[car] = 0;
    } else if (side == 0) {
        if (v > w) pay(hit, car, v - w);
        if (w > v) pay(car, hit, w - v);
        speed[car] = speed[hit] = 0;
    } else if (side == 3) {
        pay(hit, car, v);
    } else {
        pay(hit, car, v + w);
        facing[hit] = sixth(facing[hit] + (side < 3 ? -1 : 1));
    }
    return false;
}

void drive(int car, const Manoeuvre& plan) {
    int v = plan.speed, now = speed[car];
    bool fits = v == 0 ? now == 0 : v >= now - 1 && v <= now + 1;
    if (fits && v == 0) {
        facing[car] = sixth(facing[car] + 3);
        return;
    }
    if (!fits) v = now;  // straight on at the speed the car has
    speed[car] = v;
    for (int hex = 0; hex < v; hex++) {
        if (!step(car, v)) return;
        if (fits) facing[car] = sixth(facing[car] + plan.turn[hex]);
    }
}

int main(int count, char** words) {
    lay_out_board();
    list_manoeuvres();
    long games = count > 1 ? atol(words[1]) : 100000, left_over = 0;
    clock_t begun = clock();  // of the processor: the machine may be busy with other things
    for (long game = 0; game < games; game++) {
        for (int place = 0; place < CELLS; place++) car_on[place] = -1;
        int unused[CARS][ROUNDS], many[CARS];
        for (int car = 0; car < CARS; car++) {
            cell[car] = number_of[START[car][0]][START[car][1]];
            facing[car] = START[car][2];
            speed[car] = 0;
            chits[car] = 10;
            car_on[cell[car]] = car;
            many[car] = ROUNDS;
            for (int row = 0; row < ROUNDS; row++) unused[car][row] = CARS * row + (row % 2 == 0 ? car + 1 : CARS - car);
        }
        for (int round = 0; round < ROUNDS; round++) {
            int number[CARS], plan[CARS], order[CARS];
            for (int car = 0; car < CARS; car++) {
                int pick = below(many[car]);
                number[car] = unused[car][pick];
                unused[car][pick] = unused[car][--many[car]];
                if (speed[car] == 0) {
                    int choice = below(6);
                    plan[car] = choice == 5 ? 0 : first_of[1] + choice;
                    continue;
                }
                int low = speed[car] > 1 ? speed[car] - 1 : 1, high = speed[car] < 3 ? speed[car] + 1 : 3;
                plan[car] = first_of[low] + below(first_of[high + 1] - first_of[low]);
            }
            for (int car = 0; car < CARS; car++) {
                int place = car;
                while (place > 0 && number[order[place - 1]] > number[car]) {
                    order[place] = order[place - 1];
                    place--;
                }
                order[place] = car;
            }
            for (int place = 0; place < CARS; place++) drive(order[place], manoeuvres[plan[order[place]]]);
        }
        for (int car = 0; car < CARS; car++) left_over += chits[car];
    }
    double seconds = static_cast<double>(clock() - begun) / CLOCKS_PER_SEC;
    printf("%ld %.9f %ld %ld\n", games * CARS * ROUNDS, seconds, crashes, left_over);
}
